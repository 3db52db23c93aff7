//! Taylor's figures, from the PSVN descriptions.

use fsm::Machine;
use move_prune::Reason;

use super::*;

fn duplicates_by_length(learned: &Learned) -> Vec<u64> {
    learned.levels.iter().map(|l| l.duplicates).collect()
}

/// Return the number of duplicate words, and of the interior nodes of their trie.
fn table_row(learned: &Learned) -> (usize, usize) {
    let automaton = words(learned.n_letters, duplicate_letters(learned));
    (learned.duplicates.len(), automaton.n_interior_nodes())
}

/// Return the limit growth of the number of paths of the blank that a machine over U, R, D, L
/// allows on a board of `size` x `size` squares: over two steps, the lesser one first. On odd
/// boards the two differ.
pub(crate) fn growth_on_board(machine: &Dense, size: usize) -> [f64; 2] {
    let n_states = machine.n_states() + 1;
    let mut states = vec![None; n_states];
    let mut queue = vec![machine.start()];
    states[machine.number(machine.start())] = Some(machine.start());
    while let Some(state) = queue.pop() {
        for next in (0..4).filter_map(|letter| machine.next(state, letter)) {
            if states[machine.number(next)].replace(next).is_none() {
                queue.push(next);
            }
        }
    }
    let mut transitions = Vec::new();
    for state in states.iter().flatten() {
        for square in 0..size * size {
            let (row, column) = (square / size, square % size);
            let targets = [
                (row > 0).then(|| square - size),
                (column + 1 < size).then_some(square + 1),
                (row + 1 < size).then_some(square + size),
                (column > 0).then(|| square - 1),
            ];
            for (letter, target) in (0..).zip(targets) {
                if let (Some(target), Some(next)) = (target, machine.next(*state, letter)) {
                    let place = |state, square| machine.number(state) * size * size + square;
                    transitions.push((place(*state, square), place(next, target)));
                }
            }
        }
    }
    let n = n_states * size * size;
    let mut counts = vec![0.0_f64; n];
    let start = machine.number(machine.start()) * size * size;
    counts[start..start + size * size].fill(1.0);
    let mut ratios = [0.0; 2];
    for step in 0..400 {
        let mut next = vec![0.0; n];
        for (from, to) in &transitions {
            next[*to] += counts[*from];
        }
        let total: f64 = next.iter().sum();
        // The counts added up to 1 before this step, except in the first one.
        ratios[step % 2] = total;
        next.iter_mut().for_each(|count| *count /= total);
        counts = next;
    }
    ratios.sort_by(f64::total_cmp);
    ratios
}

pub(crate) fn assert_growth(automaton: &WordAutomaton, size: usize, expected: [f64; 2]) {
    let growth = growth_on_board(&machine(automaton), size);
    for (found, expected) in growth.into_iter().zip(expected) {
        assert!((found - expected).abs() < 1e-5, "{growth:?}");
    }
}

pub(crate) fn tiles(size: usize, max_length: usize) -> Learned {
    let game = built_in(&format!("sliding-tiles:{size}:{size}"));
    let operators = Operators::in_order(&game, &["U", "R", "D", "L"]).unwrap();
    let start = blank_in_the_center(size);
    let learned = learn_reachable(&game, &operators, &start, max_length).unwrap();
    assert!(learned.is_complete() && learned.max_length == max_length);
    for rejected in &learned.rejected {
        assert_eq!(rejected.reason, Reason::Inapplicable);
        let letters = rejected
            .instance
            .iter()
            .map(|r| operators.letters()[r.index()]);
        assert!(letters.eq(rejected.word.iter().copied()));
    }
    learned
}

#[test]
fn fifteen_puzzle_to_length_12() {
    let learned = tiles(7, 12);
    assert_eq!(
        duplicates_by_length(&learned),
        [0, 4, 0, 0, 0, 4, 2, 32, 18, 294, 185, 1942]
    );
    assert!(learned.rejected.is_empty());
    let automaton = words(4, duplicate_letters(&learned));
    assert_eq!(automaton.n_interior_nodes(), 8736);
    assert_growth(&automaton, 4, [2.00922; 2]);
}

/// Taylor 1992, section 3.1: 16,442 duplicate words and 55,441 states.
#[test]
#[ignore = "takes 10 seconds: words of 14 moves"]
fn fifteen_puzzle() {
    let learned = tiles(7, 14);
    assert_eq!(
        duplicates_by_length(&learned),
        [0, 4, 0, 0, 0, 4, 2, 32, 18, 294, 185, 1942, 1472, 12489]
    );
    let rejected: Vec<u64> = learned.levels.iter().map(|l| l.rejected).collect();
    assert_eq!(rejected[..12], [0; 12]);
    assert_eq!(rejected[12..], [16, 72]);
    assert_eq!(table_row(&learned), (16_442, 55_441));
    let automaton = words(4, duplicate_letters(&learned));
    assert_growth(&automaton, 4, [1.98593; 2]);
    assert_growth(&automaton, 5, [2.24932, 2.25141]);
}

/// Taylor 1992, section 3.2: 4,201 duplicate words and 15,745 states; 16 duplicates eliminated, all
/// of length 13.
#[test]
fn twenty_four_puzzle() {
    let learned = tiles(9, 13);
    let lengths: Vec<usize> = learned.rejected.iter().map(|r| r.word.len()).collect();
    assert_eq!(lengths, [13; 16]);
    assert_eq!(table_row(&learned), (4_201, 15_745));
}

/// Taylor 1992, figures 4 to 6.
#[test]
fn grid() {
    let game = built_in("grid:5:5");
    let operators = Operators::by_label(&game);
    assert!(operators.names().eq(["Right", "Left", "Up", "Down"]));
    let center = [Term::constant(Value(2)), Term::constant(Value(2))];
    let options = OperatorOptions::up_to(2);
    let rules = canonical_rules(&game);
    let learned = learn(2, &rules, &operators, &center, &options).unwrap();
    let duplicates: Vec<String> = duplicate_letters(&learned)
        .map(|word| format_word(&operators, word))
        .collect();
    assert_eq!(
        duplicates,
        [
            "Right Left",
            "Left Right",
            "Up Right",
            "Up Left",
            "Up Down",
            "Down Right",
            "Down Left",
            "Down Up"
        ]
    );
    assert_eq!(table_row(&learned), (8, 5));
    // 12 nodes that aren't duplicates, the start not counted.
    assert_eq!(learned.levels[0].kept + learned.levels[1].kept, 12);
}

/// Taylor 1992, section 3.3: 31,999 duplicate words and 24,954 states.
#[test]
fn cube_of_size_2() {
    let game = built_in("rubik:2:fixed");
    let operators = Operators::by_label(&game);
    let learned = learn_reachable(&game, &operators, &goal(&game), 7).unwrap();
    assert_eq!(
        duplicates_by_length(&learned),
        [0, 27, 3, 61, 694, 4196, 27018]
    );
    let kept: Vec<u64> = learned.levels.iter().map(|l| l.kept).collect();
    assert_eq!(kept, [9, 54, 321, 1847, 9992, 50136, 227536]);
    assert!(learned.rejected.is_empty());
    assert_eq!(table_row(&learned), (31_999, 24_954));
}

/// Taylor 1992, section 3.3: 28,210 duplicate words and 22,974 states.
#[test]
#[ignore = "takes 10 seconds: in a gigabyte"]
fn cube_of_size_3() {
    let game = built_in("rubik:3");
    let operators = Operators::by_label(&game);
    let learned = learn_reachable(&game, &operators, &goal(&game), 6).unwrap();
    assert_eq!(duplicates_by_length(&learned), [0, 81, 0, 15, 2055, 26059]);
    assert_eq!(learned.levels[5].kept, 7_618_438);
    assert_eq!(table_row(&learned), (28_210, 22_974));
}
