//! The group of the moves against all reachable states.

use std::collections::{BTreeMap, HashSet};

use invariants::{Arrangements, StartSet};
use psvn_ir::testing::{GameShape, SplitMix64, all_states, cases, random_game};
use psvn_ir::{Game, State};

use crate::{generated, load, matches, random_pattern, reachable};

fn find(game: &Game) -> Option<Arrangements> {
    Arrangements::find(game, Arrangements::USUAL_WORK, &|| false)
}

fn size(game: &Game, state: &State) -> String {
    let found = find(game).expect("a group");
    found.reachable(state, &|| false).expect("few").to_string()
}

/// The known sizes of puzzles.
#[test]
fn known_sizes() {
    for (reference, states) in [
        ("rubik:3", "43252003274489856000"),
        ("rubik:2", "88179840"),
        ("rubik:2:fixed", "3674160"),
        ("sliding-tiles:4:4", "10461394944000"),
        ("sliding-tiles:2:3", "360"),
        // A single row: nothing passes anything.
        ("sliding-tiles:1:5", "5"),
        ("pancake:20", "2432902008176640000"),
        ("topspin:20:4", "121645100408832000"),
        // Turns of four are even here, and so is every turn of the ring of seven.
        ("topspin:7:4:basic", "2520"),
    ] {
        let game = generated(reference);
        let goal = game.goal_state().expect("a goal state");
        assert_eq!(size(&game, &goal), states, "{reference}");
    }
}

/// Games whose rules do more than move values have no group.
#[test]
fn other_games_have_no_group() {
    for reference in ["hanoi:3:3", "blocks:3", "gripper:2", "arrow:5", "ghi"] {
        assert!(find(&generated(reference)).is_none(), "{reference}");
    }
    // The blank can't come back.
    let one_way = load("3  3 3 3\n 0 A - => A 0 -\n GOAL 0 1 2\n");
    assert!(find(&one_way).is_none());
    let two_tests = load("3  3 3 3\n 0 1 A => 1 0 A\n GOAL 0 1 2\n");
    assert!(find(&two_tests).is_none());
}

/// A corner turned in its place, an edge turned over, and two exchanged pieces.
#[test]
fn positions_of_a_cube_that_no_moves_reach() {
    let game = generated("rubik:3");
    let goal = game.goal_state().expect("a goal state");
    let arrangements = find(&game).expect("a group");
    let pieces = {
        // Stickers that the same moves move belong to one piece: their orbits under these moves
        // together.
        let mut by_moves: BTreeMap<Vec<bool>, Vec<usize>> = BTreeMap::new();
        for i in 0..game.n_variables() {
            let moved = |rule: &psvn_ir::Rule| !rule.canonical.actions()[i].is_own_variable(i);
            let moves = game.rules().iter().map(moved).collect();
            by_moves.entry(moves).or_default().push(i);
        }
        by_moves
    };
    let (mut n_corners, mut n_edges) = (0, 0);
    for piece in pieces.values() {
        let mut values = goal.values().to_vec();
        let first = values[piece[0]];
        for pair in piece.windows(2) {
            values[pair[0]] = values[pair[1]];
        }
        values[piece[piece.len() - 1]] = first;
        let turned = State::new(values);
        let separated = |from, to: &State| {
            arrangements.separates(from, StartSet::from(to).pattern(), &|| false)
        };
        assert_eq!(separated(&turned, &goal), Some(true));
        assert_eq!(separated(&goal, &turned), Some(true));
        match piece.len() {
            3 => n_corners += 1,
            _ => n_edges += 1,
        }
        // The coset of a turned piece is as large as the group.
        let n_states = arrangements.reachable(&turned, &|| false).expect("few");
        assert_eq!(n_states.to_string(), "43252003274489856000");
    }
    assert_eq!((n_corners, n_edges), (8, 12));
    let mut random = SplitMix64::new(5);
    let mut state = goal.clone();
    for _ in 0..100 {
        let rule = &game.rules()[random.below(game.rules().len())];
        state = State::new(rule.canonical.apply(state.values()));
        let pattern = StartSet::from(&goal);
        let separated = arrangements.separates(&state, pattern.pattern(), &|| false);
        assert_eq!(separated, Some(false));
    }
}

/// A game of up to three random permutations of five positions; some are of one domain only, and in
/// some a rule tests for the blank.
fn random_permutations(seed: u64) -> Game {
    let mut random = SplitMix64::new(seed);
    let with_blank = seed.is_multiple_of(2);
    let mut text = match seed % 3 {
        0 if !with_blank => "5  3 3 3 2 2\n".to_owned(),
        _ => "5  4 4 4 4 4\n".to_owned(),
    };
    let ranges: &[(usize, usize)] = if text.contains('2') {
        &[(0, 3), (3, 2)]
    } else {
        &[(0, 5)]
    };
    for _ in 0..1 + random.below(4) {
        let mut left = vec!["A", "B", "C", "D", "E"];
        if with_blank && random.chance(85) {
            left[random.below(5)] = "0";
        }
        let mut right = left.clone();
        for _ in 0..1 + random.below(3) {
            let (first, n) = ranges[random.below(ranges.len())];
            right.swap(first + random.below(n), first + random.below(n));
        }
        text += &format!("{} => {}\n", left.join(" "), right.join(" "));
    }
    load(&(text + "GOAL 0 0 1 1 0\n"))
}

/// Sizes, reachable states and patterns agree with a search, also with repeated values. Every state
/// of a game has an answer unless the marker is missing or repeated.
#[test]
fn answers_are_those_of_a_search() {
    let (mut n_found, mut n_separated, mut n_reached, mut n_patterns) = (0, 0, 0, 0);
    for seed in 0..cases(500) {
        let game = match seed % 5 {
            0 => random_game(
                seed,
                &GameShape {
                    n_rules: 1..=3,
                    lost_values: false,
                    constants: 5,
                    ..GameShape::default()
                },
            ),
            _ => random_permutations(seed),
        };
        let Some(arrangements) = find(&game) else {
            continue;
        };
        n_found += 1;
        let mut random = SplitMix64::new(seed);
        for start in all_states(&game).step_by(41).map(State::new) {
            let reached = reachable(&game, std::slice::from_ref(&start), usize::MAX);
            let Some(n_states) = arrangements.reachable(&start, &|| false) else {
                let zeros = start.values().iter().filter(|value| value.index() == 0);
                assert_ne!(zeros.count(), 1, "seed {seed}");
                continue;
            };
            assert_eq!(
                n_states.to_string(),
                reached.len().to_string(),
                "seed {seed}"
            );
            let known: HashSet<&State> = reached.iter().collect();
            for end in all_states(&game).step_by(29).map(State::new) {
                let pattern = StartSet::from(&end);
                let separated = arrangements.separates(&start, pattern.pattern(), &|| false);
                assert_eq!(separated, Some(!known.contains(&end)), "seed {seed}");
                n_separated += usize::from(separated == Some(true));
                n_reached += usize::from(separated == Some(false));
            }
            for _ in 0..5 {
                let pattern = random_pattern(&game, &mut random);
                if let Some(separated) = arrangements.separates(&start, &pattern, &|| false) {
                    let is_met = reached.iter().any(|state| matches(&pattern, state));
                    assert_eq!(separated, !is_met, "seed {seed}");
                    n_patterns += 1;
                }
            }
        }
    }
    assert!(
        n_found > 150 && n_separated > 10_000 && n_reached > 1_000 && n_patterns > 1_000,
        "{n_found}, {n_separated}, {n_reached}, {n_patterns}"
    );
}

/// The same in groups of many kinds on up to seven positions, with repeated values: turns of a
/// ring, exchanges, and random permutations.
#[test]
fn larger_groups_too() {
    let (mut n_separated, mut n_reached) = (0, 0);
    for seed in 0..cases(400) {
        let mut random = SplitMix64::new(seed);
        let n = 4 + random.below(4);
        let n_values = 2 + random.below(n - 1);
        let symbols: Vec<String> = (0..n).map(|i| format!("X{i}")).collect();
        let mut text = format!("{n} {}\n", vec![n_values.to_string(); n].join(" "));
        for _ in 0..1 + random.below(3) {
            let mut right = symbols.clone();
            match random.below(3) {
                0 => random.shuffle(&mut right),
                1 => right.rotate_left(1 + random.below(n - 1)),
                _ => right.swap(random.below(n), random.below(n)),
            }
            text += &format!("{} => {}\n", symbols.join(" "), right.join(" "));
        }
        text += &format!("GOAL {}\n", vec!["0"; n].join(" "));
        let game = load(&text);
        let arrangements = find(&game).expect("a group");
        let values = (0..n).map(|_| psvn_ir::Value::from_index(random.below(n_values)));
        let start = State::new(values.collect::<Vec<_>>());
        let reached = reachable(&game, std::slice::from_ref(&start), usize::MAX);
        let n_states = arrangements.reachable(&start, &|| false).expect("few");
        assert_eq!(
            n_states.to_string(),
            reached.len().to_string(),
            "seed {seed}"
        );
        let known: HashSet<&State> = reached.iter().collect();
        for _ in 0..50 {
            let mut values = start.values().to_vec();
            random.shuffle(&mut values);
            let end = State::new(values);
            let pattern = StartSet::from(&end);
            let separated = arrangements.separates(&start, pattern.pattern(), &|| false);
            assert_eq!(separated, Some(!known.contains(&end)), "seed {seed}");
            n_separated += usize::from(separated == Some(true));
            n_reached += usize::from(separated == Some(false));
        }
    }
    assert!(
        n_separated > 1_000 && n_reached > 1_000,
        "{n_separated}, {n_reached}"
    );
}

/// A small budget gives no answer rather than a wrong one.
#[test]
fn a_budget_bounds_the_work() {
    let game = generated("topspin:20:4");
    assert!(Arrangements::find(&game, 1_000, &|| false).is_none());
    let stopped = Arrangements::find(&generated("pancake:100"), u64::MAX, &|| true);
    assert!(stopped.is_none());
}
