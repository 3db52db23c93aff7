//! Twisty puzzles: small ones by hand and at random, the cube of size 2 against its known counts.

use formats::twisty::{
    Arrangement, Encoding, Illegal, MOST_RULES, Move, Multiples, Puzzle, Set, Turn,
};
use formats::twisty::{parse_kpuzzle, parse_tws, to_psvn, to_tws};
use formats::{Format, import};
use psvn_ir::testing::{SplitMix64, cases};
use psvn_syntax::{LineIndex, Span};

use crate::breadth::{Layers, counts, layers, load};

const TWS: &str = include_str!("pocket.tws");
const KPUZZLE: &str = include_str!("pocket.json");

const POCKET: [usize; 12] = [
    1, 9, 54, 321, 1847, 9992, 50136, 227_536, 870_072, 1_887_748, 623_800, 2644,
];

#[test]
fn the_pocket_cube_is_that_of_the_generator() {
    let (ours, _) = load(&import(Format::Tws, TWS).unwrap().text);
    let (json, _) = load(&import(Format::KPuzzle, KPUZZLE).unwrap().text);
    let (built_in, _) = load(&domains::generate("rubik", &["2", "fixed"]).unwrap());
    assert_eq!((ours.rules().len(), ours.n_variables()), (9, 24));
    for game in [&ours, &json, &built_in] {
        assert_eq!(counts(game, 5), POCKET[..6]);
    }
}

#[test]
#[ignore = "takes 60 seconds: 3,674,160 states"]
fn the_pocket_cube_has_all_its_states() {
    let (game, _) = load(&import(Format::Tws, TWS).unwrap().text);
    let found = counts(&game, 20);
    assert_eq!(found, POCKET);
    assert_eq!(found.iter().sum::<usize>(), 3_674_160);
}

#[test]
fn both_encodings_have_the_same_states() {
    let puzzle = parse_tws(TWS).unwrap();
    let pieces = to_psvn(&puzzle, Encoding::Pieces, 1, MOST_RULES).unwrap();
    let (game, _) = load(&pieces.text);
    // A quarter turn of R or F turns four corners, and so becomes 3^4 rules.
    assert_eq!((game.rules().len(), game.n_variables()), (329, 16));
    assert_eq!(counts(&game, 4), POCKET[..5]);
}

#[test]
fn labels_are_the_names_of_moves() {
    assert_eq!(Format::of(TWS), Some(Format::Tws));
    assert_eq!(Format::of(KPUZZLE), Some(Format::KPuzzle));
    let imported = import(Format::Tws, TWS).unwrap();
    let (game, _) = load(&imported.text);
    let labels: Vec<&str> = game.rules().iter().map(|rule| &*rule.label).collect();
    assert_eq!(labels, ["U", "U2", "U'", "R", "R2", "R'", "F", "F2", "F'"]);
    assert!(
        imported.text.contains("# alias: front = F\n"),
        "{}",
        imported.text
    );
}

/// The states of a puzzle by depth, by pieces and orientations according to its description.
fn interpret(puzzle: &Puzzle) -> Layers {
    type State = Vec<(Vec<usize>, Vec<usize>)>;
    let start: State = puzzle
        .sets
        .iter()
        .map(|set| (set.solved.pieces.clone(), set.solved.orientation.clone()))
        .collect();
    // Indistinguishable states count once: orientations count modulo what the piece shows.
    let seen = |state: &State| -> State {
        let sets = state.iter().zip(&puzzle.sets);
        sets.map(|((pieces, orientation), set)| {
            let shown = pieces.iter().zip(orientation).map(|(piece, orientation)| {
                let place = set.solved.pieces.iter().position(|it| it == piece).unwrap();
                orientation % set.distinct[place]
            });
            (pieces.clone(), shown.collect())
        })
        .collect()
    };
    let once = |state: &State, turns: &[Turn]| -> State {
        let sets = state.iter().zip(turns).zip(&puzzle.sets);
        sets.map(|(((pieces, orientation), turn), set)| {
            let pieces = turn.from.iter().map(|from| pieces[*from]).collect();
            let turned = turn.from.iter().zip(&turn.twist);
            let turned =
                turned.map(|(from, twist)| (orientation[*from] + twist) % set.orientations);
            (pieces, turned.collect())
        })
        .collect()
    };
    let successors = |state: &State| -> Vec<State> {
        let mut found = Vec::new();
        for it in &puzzle.moves {
            let mut next = once(state, &it.turns);
            // All multiples up to the order of the move, as one step each.
            for _ in 0..36 {
                let is_legal = puzzle
                    .illegal
                    .iter()
                    .all(|illegal| !illegal.pieces.contains(&next[illegal.set].0[illegal.place]));
                if is_legal {
                    found.push(seen(&next));
                }
                next = once(&next, &it.turns);
            }
        }
        found
    };
    let goal = seen(&start);
    let is_goal = |state: &State| *state == goal;
    layers(goal.clone(), successors, is_goal, 1_000_000)
}

fn random_puzzle(seed: u64) -> Puzzle {
    let mut random = SplitMix64::new(seed);
    let mut puzzle = Puzzle::default();
    for name in 0..1 + random.below(2) {
        let (places, orientations) = (2 + random.below(2), 1 + random.below(3));
        let n_pieces = 1 + random.below(places);
        let modulus: Vec<usize> = (0..n_pieces)
            .map(|_| {
                if random.below(4) == 0 {
                    1
                } else {
                    orientations
                }
            })
            .collect();
        let pieces: Vec<usize> = (0..places)
            .map(|place| {
                if place < n_pieces {
                    place
                } else {
                    random.below(n_pieces)
                }
            })
            .collect();
        puzzle.sets.push(Set {
            name: format!("set{name}"),
            orientations,
            distinct: pieces.iter().map(|piece| modulus[*piece]).collect(),
            solved: Arrangement {
                pieces,
                orientation: (0..places).map(|_| random.below(orientations)).collect(),
            },
            span: Span::default(),
        });
    }
    for name in 0..1 + random.below(2) {
        let turns = puzzle.sets.iter().map(|set| {
            let mut from: Vec<usize> = (0..set.places()).collect();
            for at in (1..from.len()).rev() {
                from.swap(at, random.below(at + 1));
            }
            let twist = from
                .iter()
                .map(|_| random.below(set.orientations))
                .collect();
            Turn { from, twist }
        });
        let turns = turns.collect();
        puzzle.moves.push(Move {
            name: format!("M{name}"),
            turns,
            cost: 1,
            span: Span::default(),
            multiples: Multiples::All,
        });
    }
    if random.below(2) == 0 {
        let place = random.below(puzzle.sets[0].places());
        let piece = random.below(3);
        if puzzle.sets[0].solved.pieces[place] != piece {
            let (pieces, span) = (vec![piece], Span::default());
            puzzle.illegal.push(Illegal {
                set: 0,
                place,
                pieces,
                span,
            });
        }
    }
    puzzle
}

#[test]
fn random_puzzles_keep_their_states() {
    let (mut n, mut n_pieces, mut n_states) = (0, 0, 0);
    for seed in 0..cases(1500) {
        let puzzle = random_puzzle(seed);
        let expected: Vec<usize> = interpret(&puzzle).iter().map(|(n, _)| *n).collect();
        for encoding in [Encoding::Stickers, Encoding::Pieces] {
            let Ok(imported) = to_psvn(&puzzle, encoding, 1, MOST_RULES) else {
                continue;
            };
            let loaded = psvn_ir::load(&imported.text);
            let game = loaded.game.unwrap_or_else(|| {
                panic!("seed {seed}: {:?}\n{}", loaded.diagnostics, imported.text)
            });
            let found = counts(&game, 1000);
            assert_eq!(
                found, expected,
                "seed {seed} {encoding:?}\n{puzzle:?}\n{}",
                imported.text
            );
            n += 1;
            n_pieces += usize::from(encoding == Encoding::Pieces);
            n_states += found.iter().sum::<usize>();
        }
    }
    assert!(
        n > 1500 && n_pieces > 500 && n_states > 30_000,
        "{n} {n_pieces} {n_states}"
    );
}

#[test]
fn permutation_games_are_read_back_from_tws() {
    for (name, arguments) in [
        ("pancake", &["5"] as &[&str]),
        ("pancake", &["5", "sizes=3"]),
        ("rubik", &["2", "fixed"]),
    ] {
        let (game, _) = load(&domains::generate(name, arguments).unwrap());
        let text = to_tws(&game, name).unwrap_or_else(|error| panic!("{name}: {error}"));
        let (again, _) = load(&import(Format::Tws, &text).unwrap().text);
        assert_eq!(counts(&again, 4), counts(&game, 4), "{name}\n{text}");
        assert_eq!(again.rules().len(), game.rules().len());
    }
    let refused = |text: &str| to_tws(&load(text).0, "x").unwrap_err().to_string();
    assert!(refused("2 2 2\n0 A => A 0 LABEL a\nGOAL 0 1").contains("`a` doesn't only change"));
    assert!(refused("2 2 2\nA B => B A\nGOAL 0 -").contains("goal"));
    let turn = "3 3 3 3\nA B C => B C A LABEL turn\nGOAL 0 1 2";
    assert!(refused(turn).contains("`turn` does 2 times"));
}

#[test]
fn all_errors_are_found_in_one_pass() {
    let text = TWS
        .replace("3 0 1 2 4 5 6 7", "3 0 1 2 4 5 6 6")
        .replace("2 0 0 1 1 0 0 2", "2 0 0 1 3 0 0 2")
        .replace("2 1 0 0 1 2 0 0", "2 1 0 0 1 2 0")
        .replace("MoveAlias front F", "MoveAlais front F");
    let errors = import(Format::Tws, &text).unwrap_err();
    let index = LineIndex::new(&text);
    let places: Vec<(&str, usize, usize)> = errors
        .iter()
        .map(|error| {
            let span = error.primary.as_ref().unwrap().span;
            let (line, column) = index.line_column(span.start);
            (error.code, line, column)
        })
        .collect();
    assert_eq!(
        places,
        [
            ("tws-permutation", 13, 15),
            ("tws-range", 20, 9),
            ("tws-count", 27, 1),
            ("tws-line", 30, 1)
        ]
    );
    assert_eq!(errors[3].hint.as_deref(), Some("did you mean `MoveAlias`?"));
    let text = KPUZZLE.replace("[2, 0, 0, 1, 1, 0, 0, 2]", "[2, 0, 0, 1, 1, 0, 0, 0.5]");
    let errors = parse_kpuzzle(&text).unwrap_err();
    assert_eq!(errors[0].message, "expected a whole number");
    let text = KPUZZLE.replace("[0, 0, 0, 0, 0, 0, 0, 0],\n", "[0, 0, 0, 0, 0, 0, 0, 3],\n");
    let errors = parse_kpuzzle(&text).unwrap_err();
    assert_eq!(errors[0].message, "expected a whole number from 0 to 2");
    let text = KPUZZLE.replace("\"moves\": {", "\"moves\": [");
    assert_eq!(parse_kpuzzle(&text).unwrap_err()[0].code, "json-syntax");
}
