//! Pictures show exactly what a search can do: walks through games are compared with the pictures
//! of their machines.

use std::collections::{BTreeMap, BTreeSet};

use psvn::Pruning;
use psvn::analysis::Letters;
use psvn_ir::State;

use super::*;

/// Games, a state from which all others can be reached, and lengths of sequences.
const GAMES: [(&str, &str, usize); 4] = [
    ("sliding-tiles:2:3", "0 1 2 3 4 5", 6),
    ("sliding-tiles:2:2", "0 1 2 3", 8),
    ("pancake:4", "1 2 3 4", 3),
    ("grid:3:3", "0 0", 4),
];

struct Drawn {
    game: Game,
    file: OpenFile,
    graph: Graph,
}

fn drawn(name: &str, letters: Letters, length: usize, arrows: Arrows) -> Drawn {
    let env = Environment::default();
    let game = Game::built_in(name, &env).expect("a game");
    let pruning = Pruning {
        letters: Some(letters),
        ..Pruning::up_to(length)
    };
    let analysis = pruning.analyze(&game, &env).expect("an analysis");
    let file = analysis.machine.as_ref().expect("a machine").to_bytes();
    let file = OpenFile::from_bytes(file).expect("a machine file");
    let graph = draw_machine(&file, Some(&game), Path::new("m.fsm"), arrows, &env);
    Drawn {
        graph: graph.expect("a graph"),
        game,
        file,
    }
}

/// The names of the letters that fit on a label.
fn letters_of(label: &str) -> BTreeSet<String> {
    label.split(", ").map(str::to_owned).collect()
}

/// All states that can be reached from one.
fn reached(game: &Game, start: &str) -> BTreeSet<State> {
    let start = game.state("a start", start).expect("a state");
    let mut found = BTreeSet::from([start.clone()]);
    let mut open = vec![start];
    while let Some(state) = open.pop() {
        for rule in game.ir().rules() {
            if rule.canonical.applies_to(state.values()) {
                let child = State::new(rule.canonical.apply(state.values()));
                if found.insert(child.clone()) {
                    open.push(child);
                }
            }
        }
    }
    found
}

/// The pairs of a machine's state and a letter that occur on paths through the game, with the state
/// to which the machine goes, or 0.
fn walked(of: &Drawn, start: &str) -> BTreeSet<(usize, u32, usize)> {
    let machine = of.file.machine().to_dense().expect("a table");
    let operator_of = of.file.operator_of();
    let ir = of.game.ir();
    let start_of = |state| (state, machine.number(machine.start()));
    let mut met = BTreeSet::new();
    let mut open: Vec<(State, usize)> =
        reached(&of.game, start).into_iter().map(start_of).collect();
    let mut is_seen: BTreeSet<(State, usize)> = open.iter().cloned().collect();
    while let Some((state, at)) = open.pop() {
        for (id, rule) in ir.rules_with_ids() {
            if !rule.canonical.applies_to(state.values()) {
                continue;
            }
            let letter = operator_of.get(id.index()).copied().unwrap_or(id.0);
            let to = machine.successors(at).nth(letter as usize);
            let to = to.expect("a letter");
            met.insert((at, letter, to));
            let child = (State::new(rule.canonical.apply(state.values())), to);
            if to != 0 && is_seen.insert(child.clone()) {
                open.push(child);
            }
        }
    }
    met
}

#[test]
fn all_that_a_search_does_is_drawn() {
    for (name, start, length) in GAMES {
        for letters in [Letters::Rules, Letters::Labels] {
            let of = drawn(name, letters, length, Arrows::All);
            let names = LetterNames::new(of.game.ir(), &of.file);
            let mut arrows: BTreeMap<(usize, String), usize> = BTreeMap::new();
            for edge in &of.graph.edges {
                for letter in letters_of(&edge.label) {
                    assert_eq!(arrows.insert((edge.from, letter), edge.to), None);
                }
            }
            // Pictures have places, machines numbers: the walk says which belong together.
            let mut place: BTreeMap<usize, usize> = BTreeMap::from([(1, 0)]);
            let met = walked(&of, start);
            let mut n_drawn = 0;
            for _ in 0..met.len() {
                n_drawn = 0;
                for (at, letter, to) in &met {
                    let Some(from) = place.get(at).copied() else {
                        continue;
                    };
                    let drawn = arrows.get(&(from, names.name(*letter)));
                    if *to == 0 {
                        assert_eq!(drawn, None, "{name}: a forbidden arrow");
                        continue;
                    }
                    n_drawn += 1;
                    let drawn = *drawn.unwrap_or_else(|| panic!("{name}: an arrow is missing"));
                    assert_eq!(*place.entry(*to).or_insert(drawn), drawn, "{name}");
                }
            }
            assert_eq!(n_drawn, met.iter().filter(|(.., to)| *to != 0).count());
            // All walks of small games are found, so an arrow that no walk takes must not be drawn.
            if letters == Letters::Rules {
                assert_eq!(arrows.len(), n_drawn, "{name}: an impossible arrow");
            }
        }
    }
}

#[test]
fn what_is_not_drawn_can_be_read_off() {
    for (name, _, length) in GAMES {
        let all = drawn(name, Letters::Rules, length, Arrows::All);
        let some = drawn(name, Letters::Rules, length, Arrows::Readable);
        let states = |graph: &Graph| -> Vec<Vec<String>> {
            graph
                .states
                .iter()
                .map(|state| state.name.clone())
                .collect()
        };
        assert_eq!(states(&all.graph), states(&some.graph));
        let arrows = |graph: &Graph| -> BTreeMap<(usize, String), usize> {
            let of = |edge: &Edge| {
                let letters = letters_of(&edge.label).into_iter();
                letters
                    .map(|letter| ((edge.from, letter), edge.to))
                    .collect::<Vec<_>>()
            };
            graph.edges.iter().flat_map(of).collect()
        };
        let (all_arrows, some_arrows) = (arrows(&all.graph), arrows(&some.graph));
        if !some.graph.notes.iter().any(|it| it.contains("not drawn")) {
            assert!(all.graph.edges.len() <= MOST_TO_DRAW_ALL);
            assert_eq!(all_arrows, some_arrows);
            continue;
        }
        assert!(some.graph.edges.len() < all.graph.edges.len(), "{name}");
        assert!(some.graph.svg().is_ok(), "{name}");
        let is_cut = |from: usize| {
            let mut edges = some.graph.edges.iter();
            edges.any(|edge| edge.from == from && edge.label.contains(", +"))
        };
        for ((from, letter), to) in &all_arrows {
            if is_cut(*from) || is_cut(0) {
                continue;
            }
            // As the notes below the picture say.
            let read = match some_arrows.get(&(*from, letter.clone())) {
                Some(to) => *to,
                None => some_arrows.get(&(0, letter.clone())).copied().unwrap_or(0),
            };
            assert_eq!(read, *to, "{name}: {letter} from {from}");
            let remark = &some.graph.states[*from].remark;
            let forbidden = remark
                .strip_prefix("not ")
                .map(letters_of)
                .unwrap_or_default();
            assert!(!forbidden.contains(letter), "{name}: {letter} from {from}");
        }
    }
}

#[test]
fn states_are_called_by_what_they_remember() {
    let grid = drawn("grid:3:3", Letters::Labels, 2, Arrows::Readable).graph;
    let names: Vec<String> = grid.states.iter().map(|it| it.name.concat()).collect();
    assert_eq!(names, ["start", "Right", "Left", "Up", "Down"]);
    assert!(grid.states.iter().all(|it| it.layer.is_none()));
    // Going around a block of four squares is remembered step by step.
    let five = drawn("sliding-tiles:2:3", Letters::Rules, 6, Arrows::Readable).graph;
    assert_eq!(five.states.iter().filter_map(|it| it.layer).max(), Some(5));
    for state in &five.states[1..] {
        let first = &state.name[0];
        let n_letters = first.matches('#').count();
        assert!(
            first.contains('\u{2026}') || Some(n_letters) == state.layer,
            "{first}"
        );
    }
    // Without the game letters are numbers, and nothing is known to be impossible.
    let of = drawn("grid:3:3", Letters::Labels, 2, Arrows::All);
    let env = Environment::default();
    let bare = draw_machine(&of.file, None, Path::new("m.fsm"), Arrows::All, &env);
    let bare = bare.expect("a graph");
    assert_eq!(bare.states[1].name, ["1"]);
    assert_eq!(bare.edges.len(), 12);
}

#[test]
fn long_words_are_cut_in_front() {
    let names: Vec<String> = (0..20).map(|letter| format!("rule{letter}")).collect();
    let text = shortened(&names);
    assert!(
        text.starts_with('\u{2026}') && text.ends_with("rule18 rule19"),
        "{text}"
    );
    assert!(text.chars().count() <= MOST_OF_LABEL + 5);
    assert_eq!(shortened(&names[..2]), "rule0 rule1");
}
