//! Compared with distances that are found without symmetries, coordinates and classes.

mod duals;
mod inside;
mod oracle;
mod parts;

use std::collections::{HashSet, VecDeque};

use psvn_ir::random::SplitMix64;
use psvn_ir::testing::cases;
use psvn_ir::{Game, RuleId, State, Value};
use search::{FollowedPath, Heuristic, Sibling};

use self::inside::{Fault, Inside};
use self::oracle::Oracle;
use crate::testing::{domain, domain as game};
use crate::{BuildError, CoordinateMemo, CoordinatePattern, CoordinateTable, FileError, Options};

fn pattern(game: &Game, text: &str) -> CoordinatePattern {
    CoordinatePattern::parse(game, text).expect("a pattern")
}

/// Return the permutation that undoes one.
fn inverse(permutation: &[usize]) -> Vec<usize> {
    let mut inverse = vec![0; permutation.len()];
    for (from, to) in permutation.iter().enumerate() {
        inverse[*to] = from;
    }
    inverse
}

/// Make a game of random permutations and their inverses. Some have blocks of two positions.
fn random_permutations(seed: u64) -> Game {
    let mut random = SplitMix64::new(seed);
    let size = if seed.is_multiple_of(2) { 1 } else { 2 };
    let n_blocks = 5 + random.below(2) - size;
    let n = n_blocks * size;
    let mut rules: Vec<Vec<usize>> = Vec::new();
    while rules.len() < 6 {
        let mut blocks: Vec<usize> = (0..n_blocks).collect();
        for i in (1..n_blocks).rev() {
            blocks.swap(i, random.below(i + 1));
        }
        let mut rule = vec![0; n];
        for (block, to) in blocks.iter().enumerate() {
            let turn = random.below(size);
            for i in 0..size {
                rule[block * size + i] = to * size + (i + turn) % size;
            }
        }
        rules.push(inverse(&rule));
        rules.push(rule);
    }
    let names = |letter: &str, numbers: &mut dyn Iterator<Item = usize>| {
        let names: Vec<String> = numbers.map(|i| format!("{letter}{i}")).collect();
        names.join(" ")
    };
    let mut text = format!("DOMAIN v {n} {}\n{n}\n", names("p", &mut (0..n)));
    text += &vec!["v"; n].join(" ");
    for (number, rule) in rules.iter().enumerate() {
        let from = inverse(rule);
        let (before, after) = (names("X", &mut (0..n)), names("X", &mut from.into_iter()));
        text += &format!("\n{before} => {after} LABEL r{number}");
    }
    text += &format!("\nGOAL {}\n", names("p", &mut (0..n)));
    psvn_ir::load(&text).game.expect("a game")
}

/// Return where the homes are of the state's image under a symmetry.
fn in_image(image: &[usize], homes: &[usize]) -> Vec<usize> {
    let mut there = homes.to_vec();
    for (place, home) in homes.iter().enumerate() {
        there[image[place]] = image[*home];
    }
    there
}

/// Compare a table with the oracle along random walks from the goal: the distances of all images,
/// and those of children with those of first states. Return the number of states that differ.
fn n_different(game: &Game, table: &CoordinateTable, oracle: &Oracle) -> usize {
    let inside = Inside::of(table);
    let mut random = SplitMix64::new(7);
    let mut n_different = 0;
    for _ in 0..30 {
        let mut state = game.goal_state().expect("a goal");
        let mut path = FollowedPath::start(table, state.values()).expect("values of a byte");
        for _ in 0..30 {
            let rule = random.below(game.rules().len());
            state = State::new(game.rules()[rule].canonical.apply(state.values()).to_vec());
            let rule = RuleId::from_index(rule);
            let parent = path;
            path = parent.child(rule, state.values(), u64::MAX);
            let memo = path.memo().read::<CoordinateMemo>();
            let homes = inside::homes(table, &state).expect("the pieces of the goal");
            let images = inside
                .images
                .iter()
                .map(|image| oracle.distance(&in_image(image, &homes)));
            let expected: Vec<u64> = images.collect();
            let fresh = FollowedPath::start(table, state.values()).expect("values of a byte");
            let estimate = fresh.estimate();
            let found: Vec<u64> = inside::distances(memo)[..expected.len()]
                .iter()
                .map(|it| u64::from(*it))
                .collect();
            let greatest = expected.iter().max().copied().map(|it| it * table.unit());
            for cutoff in 0..estimate.min(100) + 3 {
                let rejected = parent.reject(&[Sibling { rule, cutoff }])[0];
                let is_right = rejected.map_or(estimate <= cutoff, |it| {
                    (cutoff + 1..=estimate).contains(&it)
                });
                n_different += usize::from(!is_right);
            }
            let is_same =
                path.memo() == fresh.memo() && found == expected && Some(estimate) == greatest;
            n_different += usize::from(!is_same);
        }
    }
    n_different
}

/// Games with patterns whose abstract states can all be listed.
const CASES: [(&str, &str); 14] = [
    ("rubik:2:fixed", "like U2 R2 F2"),
    ("rubik:2:fixed", "like U U2 U'"),
    ("rubik:2:fixed", "like R2 F2 U U'"),
    ("rubik:2", "like U U' R2 F2 D D' L2 B2"),
    ("rubik:2", "like U2 R2 F2 D2 L2 B2"),
    ("rubik:2", "like U U' D D' R2 F2 L2 B2 apart U D at 1"),
    ("pyraminx", "like 1 2 3 4"),
    ("topspin:7:3", "like 1"),
    ("topspin:7:3", "like 2 4"),
    ("topspin:7:3", "like 1 3 apart at 1"),
    ("topspin:8:4", "like 2 3 apart 3 at 5"),
    ("pancake:6", "like flip2 flip4"),
    ("pancake:6", "like flip3 apart at 2"),
    ("pancake:7", "like flip3 flip4 flip5"),
];

#[test]
fn distances_are_those_of_the_abstract_game() {
    let mut n_reduced = 0;
    let mut n_self_symmetric = 0;
    for (reference, text) in CASES {
        let game = game(reference);
        let pattern = pattern(&game, text);
        let table = CoordinateTable::build(&game, &pattern, &Options::default()).expect("a table");
        let oracle = Oracle::new(&Inside::of(&table), &pattern, 300_000).expect("few states");
        let n = Inside::of(&table).n_symmetries;
        assert_eq!(
            n_different(&game, &table, &oracle),
            0,
            "{reference}, {text}"
        );
        let greatest = oracle.distances().values().max().copied();
        assert_eq!(
            greatest,
            Some(table.levels().len() as u64 - 1),
            "{reference}, {text}"
        );
        n_reduced += usize::from(n > 1);
        let reached = table.levels().iter().sum::<u64>() as usize;
        n_self_symmetric += usize::from(reached * n > oracle.distances().len());
    }
    assert!(
        n_reduced > 3 && n_self_symmetric > 2,
        "{n_reduced} {n_self_symmetric}"
    );
}

#[test]
fn random_games() {
    let mut n_compared = 0;
    for seed in 0..cases(60) {
        let game = random_permutations(seed);
        let n_rules = game.rules().len();
        let mut random = SplitMix64::new(seed);
        let alike = (0..2).map(|_| random.below(n_rules)).collect();
        let apart = random.below(2) == 0;
        let apart = apart.then(|| {
            (
                vec![random.below(n_rules)],
                vec![random.below(game.n_variables())],
            )
        });
        let pattern = inside::pattern(alike, apart);
        assert_eq!(
            CoordinatePattern::parse(&game, &pattern.to_text(&game)),
            Ok(pattern.clone())
        );
        let Ok(table) = CoordinateTable::build(&game, &pattern, &Options::default()) else {
            continue;
        };
        let oracle = Oracle::new(&Inside::of(&table), &pattern, 100_000).expect("a small game");
        assert_eq!(n_different(&game, &table, &oracle), 0, "{seed}");
        n_compared += 1;
    }
    assert!(n_compared > 20, "{n_compared}");
}

/// The comparison fails for tables with errors.
#[test]
fn faults_are_noticed() {
    for (reference, text) in [
        ("rubik:2", "like U U' D D' R2 F2 L2 B2 apart U D at 1"),
        ("rubik:2", "like R R' L L' U2 F2 D2 B2 apart R L at 1"),
    ] {
        let game = game(reference);
        let pattern = pattern(&game, text);
        let compare = |table: &CoordinateTable| {
            let oracle = Oracle::new(&Inside::of(table), &pattern, 300_000).expect("few states");
            n_different(&game, table, &oracle)
        };
        let with = |fault| inside::build_with(&game, &pattern, fault).expect("a table");
        let right = with(Fault::None);
        assert!(Inside::of(&right).n_symmetries > 2);
        assert_eq!(compare(&right), 0);
        for fault in [Fault::Symmetry, Fault::Digit] {
            assert!(compare(&with(fault)) > 0, "{reference} {fault:?}");
        }
    }
}

/// By brute force: no estimate exceeds the true distance.
#[test]
fn admissible_on_all_states() {
    for (reference, text) in [
        ("topspin:7:3", "like 1 3 apart at 1"),
        ("pancake:7", "like flip3 flip4 flip5"),
    ] {
        let game = game(reference);
        let pattern = pattern(&game, text);
        let table = CoordinateTable::build(&game, &pattern, &Options::default()).expect("a table");
        assert_admissible(&game, &table);
    }
}

/// Compare estimates with the distances of all states, found breadth-first from the goal. All rules
/// of these games can be undone.
fn assert_admissible(game: &Game, table: &CoordinateTable) {
    let goal = game.goal_state().expect("a goal");
    let mut seen: HashSet<State> = HashSet::from([goal.clone()]);
    let mut waiting = VecDeque::from([(goal, 0)]);
    while let Some((state, distance)) = waiting.pop_front() {
        let cells: Vec<u32> = state.values().iter().map(|value| value.0).collect();
        assert!(table.estimate(&cells) <= distance);
        for rule in game.rules() {
            let next = State::new(rule.canonical.apply(state.values()).to_vec());
            if seen.insert(next.clone()) {
                waiting.push_back((next, distance + rule.canonical.cost()));
            }
        }
    }
}

#[test]
fn games_without_coordinates() {
    let options = Options::default();
    for reference in [
        "hanoi:3:3",
        "sliding-tiles:3:3",
        "rubik:2:goal=any",
        "rubik:2:colors=3",
        "pancake:5:cost=size",
    ] {
        let game = game(reference);
        let first = inside::pattern(vec![0], None);
        let built = CoordinateTable::build(&game, &first, &options);
        assert!(
            matches!(built, Err(BuildError::NoCoordinates(_))),
            "{reference}"
        );
    }
    // Nothing is told apart, and too much: all arrangements are too many to enumerate.
    let game = game("rubik:3");
    let all = inside::pattern((0..game.rules().len()).collect(), None);
    let none = inside::pattern(Vec::new(), None);
    for pattern in [all, none] {
        let built = CoordinateTable::build(&game, &pattern, &options);
        assert!(matches!(built, Err(BuildError::NoCoordinates(_))));
    }
}

#[test]
fn patterns_are_read_and_written() {
    let game = game("rubik:2");
    for text in [
        "like U U2 U'",
        "like R2 apart at 3 5",
        "like R2 F2 apart U2 at 3",
    ] {
        let pattern = pattern(&game, text);
        let again = CoordinatePattern::parse(&game, &pattern.to_text(&game));
        assert_eq!(again, Ok(pattern));
    }
    for (text, expected) in [
        ("keep 1", "it begins with `like`, followed by rules"),
        ("like U3", "the game has no rule `U3`"),
        ("like 19", "the game has no rule `19`"),
        (
            "like U apart",
            "after `apart` come rules, `at`, and variables",
        ),
        (
            "like U apart R at",
            "after `apart` come rules, `at`, and variables",
        ),
        ("like U apart R at 99", "the game has no variable `99`"),
    ] {
        let error = CoordinatePattern::parse(&game, text).expect_err(text);
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn files() {
    let game = game("topspin:7:3");
    let pattern = pattern(&game, "like 1 3");
    let options = Options::default();
    let table = CoordinateTable::build(&game, &pattern, &options).expect("a table");
    let mut bytes = Vec::new();
    table.write(&game, &mut bytes).expect("a written table");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("table.pdb");
    std::fs::write(&path, &bytes).expect("a file");
    assert!(CoordinateTable::is_file(&path));
    let read = CoordinateTable::open(&path, &game, &options).expect("a table");
    let mut again = Vec::new();
    read.write(&game, &mut again).expect("a written table");
    assert!(again == bytes);
    assert_eq!(
        (read.levels(), read.pattern()),
        (table.levels(), table.pattern())
    );
    let other = domain("topspin:8:4");
    let opened = CoordinateTable::open(&path, &other, &options);
    assert!(matches!(opened, Err(FileError::OtherGame { .. })));
    let n = bytes.len();
    for place in (0..n).step_by(n / 97 + 1).chain([n - 1]) {
        let mut damaged = bytes.clone();
        damaged[place] ^= 4;
        std::fs::write(&path, &damaged).expect("a file");
        assert!(
            CoordinateTable::open(&path, &game, &options).is_err(),
            "{place}"
        );
        std::fs::write(&path, &bytes[..place]).expect("a file");
        assert!(
            CoordinateTable::open(&path, &game, &options).is_err(),
            "{place}"
        );
    }
}

/// Kociemba's coordinates: the sizes of the levels are known (Rokicki, Kociemba, Davidson &
/// Dethridge 2010 count the cosets at each distance).
#[test]
#[ignore = "takes 60 seconds: a table of a cube"]
fn twist_flip_slice() {
    let game = game("rubik:3");
    let pattern = pattern(&game, "like U U' U2 D D' D2 L2 R2 F2 B2");
    let table = CoordinateTable::build(&game, &pattern, &Options::default()).expect("a table");
    assert_eq!(table.n_lookups(), 3);
    assert_eq!(Inside::of(&table).n_symmetries, 16);
    assert_eq!(table.levels().len(), 13);
    assert_eq!(&table.levels()[..4], [1, 1, 5, 44]);
}

/// On the cube, the candidates are Kociemba's coordinates, and the same with the places of four
/// edges, or of other pieces, told apart.
#[test]
fn candidates_are_found_from_symmetries() {
    let cube = game("rubik:3");
    let options = Options::default();
    let found = CoordinatePattern::candidates(&cube, &options, 1 << 30);
    assert!(found.len() < 8, "{}", found.len());
    let kociemba = |entries: u128| (138_000_000..160_000_000).contains(&entries);
    assert!(found.iter().any(|(_, sizes)| kociemba(sizes.entries)));
    assert!(found.iter().any(|(_, sizes)| sizes.entries > 3_000_000_000));
    // Some of the edges told apart, and pairs of them not.
    let between = |entries: u128| (1_500_000_000..2_000_000_000).contains(&entries);
    assert!(found.iter().any(|(_, sizes)| between(sizes.entries)));
    for reference in [
        "pancake:7",
        "topspin:8:4",
        "hanoi:3:3",
        "rubik:2",
        "pyraminx",
    ] {
        let game = game(reference);
        let found = CoordinatePattern::candidates(&game, &options, 1 << 30);
        assert!(
            found.iter().all(|(_, sizes)| sizes.bytes < 1 << 30),
            "{reference}"
        );
        assert!(found.is_sorted_by_key(|(_, sizes)| sizes.entries));
    }
}
