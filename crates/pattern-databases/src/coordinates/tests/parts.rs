//! Tables whose finer entries are kept in parts, compared with distances in the abstract games
//! between which they lie.

use search::FollowedPath;
use search::check::exhaustive;

use super::*;

/// Games with patterns that tell some pieces apart, and a number of parts.
const CASES: [(&str, &str, usize); 5] = [
    ("topspin:7:3", "like 1 3 apart at 1", 2),
    ("topspin:8:4", "like 2 3 apart 3 at 5", 1),
    ("pancake:6", "like flip2 flip4 apart flip2 at 1", 2),
    ("pancake:7", "like flip3 flip4 apart flip3 at 1", 3),
    ("rubik:2", "like U U' D D' R2 F2 L2 B2 apart U D at 1", 4),
];

fn build(game: &Game, text: &str) -> CoordinateTable {
    let pattern = pattern(game, text);
    CoordinateTable::build(game, &pattern, &Options::default()).expect(text)
}

/// Return the greatest number of parts: how many values the last number has, or 64.
fn most_parts(game: &Game, text: &str) -> usize {
    let fits = |parts: &usize| {
        let pattern = pattern(game, &format!("{text} parts {parts}"));
        CoordinateTable::sizes(game, &pattern, &Options::default()).is_ok()
    };
    let all: Vec<usize> = (1..=64).collect();
    all.partition_point(fits)
}

/// Compare the distances of each image along random walks with those without parts. Return how
/// many are as large as those.
fn compare(game: &Game, text: &str, parts: usize) -> usize {
    let table = build(game, &format!("{text} parts {parts}"));
    let inside = Inside::of(&table);
    let fine = Oracle::new(&inside, &pattern(game, text), 300_000).expect("few states");
    let mut random = SplitMix64::new(3);
    let mut n_equal = 0;
    for _ in 0..20 {
        let mut state = game.goal_state().expect("a goal");
        for _ in 0..30 {
            let rule = &game.rules()[random.below(game.rules().len())];
            state = State::new(rule.canonical.apply(state.values()).to_vec());
            let path = FollowedPath::start(&table, state.values()).expect("values of a byte");
            let found = &inside::distances(path.memo().read())[..inside.images.len()];
            assert_eq!(
                Some(path.estimate()),
                found.iter().max().map(|it| u64::from(*it) * table.unit())
            );
            let homes = inside::homes(&table, &state).expect("the goal's pieces");
            for (image, found) in inside.images.iter().zip(found) {
                let most = fine.distance(&in_image(image, &homes));
                assert!(u64::from(*found) <= most, "{text}");
                n_equal += usize::from(u64::from(*found) == most);
            }
        }
    }
    n_equal
}

/// Compare with the distances of the game without `apart`. A bit adds one to such a distance. Where
/// a part is one entry, its bit says whether that entry is farther. Return how many differ.
fn compare_with_coarse(game: &Game, text: &str, parts: usize, is_whole: bool) -> usize {
    let table = build(game, &format!("{text} parts {parts}"));
    let inside = Inside::of(&table);
    let fine = Oracle::new(&inside, &pattern(game, text), 300_000).expect("few states");
    let coarse = inside::coarse(&pattern(game, text));
    let coarse = Oracle::new(&inside, &coarse, 300_000).expect("few states");
    let mut n_greater = 0;
    let mut random = SplitMix64::new(4);
    let mut state = game.goal_state().expect("a goal");
    for _ in 0..600 {
        let rule = &game.rules()[random.below(game.rules().len())];
        state = State::new(rule.canonical.apply(state.values()).to_vec());
        let path = FollowedPath::start(&table, state.values()).expect("values of a byte");
        let homes = inside::homes(&table, &state).expect("the goal's pieces");
        for (image, found) in inside
            .images
            .iter()
            .zip(inside::distances(path.memo().read()))
        {
            let there = in_image(image, &homes);
            let (least, most) = (coarse.distance(&there), fine.distance(&there));
            let more = u64::from(*found).checked_sub(least).expect("no less");
            assert!(more <= 1, "{text}");
            assert!(
                !is_whole || (more == 1) == (least % 3 != most % 3),
                "{text}"
            );
            n_greater += more as usize;
        }
    }
    n_greater
}

#[test]
fn parts_are_no_farther_than_their_entries() {
    for (reference, text, parts) in CASES {
        let game = game(reference);
        let most = most_parts(&game, text);
        assert!(most >= parts, "{reference}, {text}: {most}");
        let (few, all) = (compare(&game, text, parts), compare(&game, text, most));
        assert!(few <= all && all > 0, "{reference}, {text}: {few}, {all}");
    }
}

#[test]
fn bits_of_parts_tell_what_is_farther() {
    for (reference, text, parts) in [CASES[0], CASES[3]] {
        let game = game(reference);
        let most = most_parts(&game, text);
        let few = compare_with_coarse(&game, text, parts, parts == most);
        let all = compare_with_coarse(&game, text, most, most < 64);
        assert!(few <= all && all > 0, "{reference}, {text}: {few}, {all}");
    }
}

#[test]
fn random_games_with_parts() {
    let mut n_equal = 0;
    for seed in 0..cases(60) {
        let game = random_permutations(seed);
        let n_rules = game.rules().len();
        let apart = (vec![(seed as usize + 2) % n_rules], vec![0]);
        let apart = seed.is_multiple_of(3).then_some(apart);
        let pattern = inside::pattern(vec![seed as usize % n_rules], apart);
        let text = pattern.to_text(&game);
        let most = most_parts(&game, &text);
        if most > 0 {
            n_equal += compare(&game, &text, most.min(2));
        }
    }
    assert!(n_equal > 1_000, "{n_equal}");
}

/// By brute force: no estimate exceeds the true distance, and children have the same estimates
/// alone, with their siblings and without a parent. Neighbors differ by more than a step somewhere.
#[test]
fn parts_are_admissible_on_all_states() {
    let (mut n_drops, mut n_with_duals) = (0, 0);
    for (reference, text, parts) in CASES.into_iter().take(4) {
        let game = game(reference);
        let goal = game.goal_state().expect("a goal");
        for has_duals in [false, true] {
            let mut table = build(&game, &format!("{text} parts {parts}"));
            assert!(!table.is_consistent());
            if has_duals {
                table = table.with_duals(&game, &Options::default()).expect(text);
                n_with_duals += usize::from(table.has_duals());
            }
            let goals = std::slice::from_ref(&goal);
            let findings = exhaustive(&game, &table, goals, 50_000).expect("few states");
            assert!(findings.is_admissible(), "{reference}, {text}");
            assert!(findings.is_incremental(), "{reference}, {text}");
            n_drops += findings.n_drops;
        }
    }
    assert!(n_drops > 0 && n_with_duals == 4, "{n_drops} {n_with_duals}");
}

/// More parts tell more, for more bytes, and all of them together less than the finer table.
#[test]
fn more_parts_tell_more() {
    let game = game("rubik:2");
    let text = "like U U' D D' R2 F2 L2 B2 apart U D at 1";
    let mean = |table: &CoordinateTable| {
        let levels = table.levels();
        let sum: u64 = (0..).zip(levels).map(|(distance, n)| distance * n).sum();
        sum as f64 / levels.iter().sum::<u64>() as f64
    };
    let mut before = (0.0, 0);
    for parts in [1, 8, 64] {
        let table = build(&game, &format!("{text} parts {parts}"));
        let now = (mean(&table), table.n_entry_bytes());
        assert!(now.0 > before.0 && now.1 > before.1, "{before:?} {now:?}");
        before = now;
    }
    assert!(before.0 < mean(&build(&game, text)));
}

#[test]
fn sizes_and_files_of_parts() {
    let game = game("rubik:2");
    let pattern = pattern(&game, "like U U' D D' R2 F2 L2 B2 apart U D at 1 parts 3");
    let options = Options::default();
    let sizes = CoordinateTable::sizes(&game, &pattern, &options).expect("sizes");
    let table = CoordinateTable::build(&game, &pattern, &options).expect("a table");
    let bytes = u128::from(table.n_entry_bytes());
    assert!(bytes <= sizes.bytes && sizes.bytes < bytes * 2);
    assert!(sizes.building_bytes > sizes.bytes && sizes.numbering.contains("3 parts"));
    let duals = CoordinateTable::dual_sizes(&game, &pattern, &options).expect("sizes");
    assert_eq!(duals.bytes, 0);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("table.pdb");
    let mut file = std::fs::File::create(&path).expect("a file");
    table.write(&game, &mut file).expect("a written table");
    let read = CoordinateTable::open(&path, &game, &options).expect("a table");
    assert_eq!(read.pattern(), table.pattern());
    assert_eq!(read.levels(), table.levels());
    assert_eq!(read.n_entries(), table.n_entries());
    let mut random = SplitMix64::new(5);
    let mut state = game.goal_state().expect("a goal");
    for _ in 0..200 {
        let rule = &game.rules()[random.below(game.rules().len())];
        state = State::new(rule.canonical.apply(state.values()).to_vec());
        let cells: Vec<u32> = state.values().iter().map(|value| value.0).collect();
        assert_eq!(read.estimate(&cells), table.estimate(&cells));
    }
}

#[test]
fn parts_that_are_refused() {
    let game = game("topspin:7:3");
    let last = "after `parts` comes a number, and nothing else";
    for text in [
        "like 1 3 apart at 1 parts",
        "like 1 3 apart at 1 parts 0",
        "like 1 3 apart at 1 parts 2 3",
    ] {
        let error = CoordinatePattern::parse(&game, text).expect_err(text);
        assert_eq!(error.to_string(), last);
    }
    let text = "like 1 3 apart at 1 PARTS 2";
    let read = pattern(&game, text);
    let again = CoordinatePattern::parse(&game, &read.to_text(&game));
    assert_eq!(again, Ok(read));
    let many = pattern(&game, "like 1 3 apart at 1 parts 65");
    let built = CoordinateTable::build(&game, &many, &Options::default());
    assert!(matches!(built, Err(BuildError::NoCoordinates(_))));
}
