//! Rows of Table 4 of Burch & Holte 2011 (as corrected in 2012 and 2014) that `figures.rs` doesn't
//! have: Gripper, whose published figures turn out to be for one start state, and properties of the
//! rows for random start states that hold for every start.
//!
//! The whole table with times: `cargo bench -p psvn-benches --bench table4`.

use psvn_ir::{Game, State};
use psvn_toolkit::{analyze, built_in, machine};
use search::{Bound, CompiledGame, CycleDetection, Searcher};

/// A search beside the machine for words up to `length`, or with parent pruning.
fn searcher(game: &Game, length: Option<usize>) -> Searcher {
    let compiled = CompiledGame::new(game);
    let machine = machine(&analyze(game, length.unwrap_or(0)));
    let cycles = match length {
        None => CycleDetection::Parent,
        Some(_) => CycleDetection::None,
    };
    Searcher::builder(&compiled)
        .machine(machine)
        .cycle_detection(cycles)
        .build()
}

/// The nodes down to a depth, the root included.
fn total(searcher: &Searcher, start: &State, depth: u64) -> u128 {
    let mut search = searcher.run().count_forbidden(false);
    let tree = search.count_tree(start, Bound::Depth(depth));
    tree.expect("the start is a state").totals().generated
}

/// Ten balls, all in the robot's room.
fn gripper(length: Option<usize>) -> u128 {
    let game = built_in("gripper:10");
    let start = game.parse_state("a none none a a a a a a a a a a");
    let searcher = searcher(&game, length);
    total(&searcher, &start.expect("a state of the game"), 14)
}

/// Published: 25,982 thousand.
#[test]
fn gripper_length_3() {
    assert_eq!(gripper(Some(3)), 25_981_642);
}

/// Published: 590,870 thousand.
#[test]
#[ignore = "takes 10 seconds: a deep tree"]
fn gripper_length_2() {
    assert_eq!(gripper(Some(2)), 590_870_072);
}

/// Published: 9,794,961 thousand.
#[test]
#[ignore = "takes 60 seconds: a deep tree"]
fn manual_gripper_parent_pruning() {
    assert_eq!((gripper(None) + 500) / 1_000, 9_794_961);
}

/// The state at the end of a random walk from the goal.
fn random_state(game: &Game, compiled: &CompiledGame, mut seed: u64) -> State {
    let mut state = game.goal_state().expect("one goal state");
    for _ in 0..500 {
        let rules = compiled.applicable_rules(&state).expect("a state");
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let rule = rules[(seed >> 33) as usize % rules.len()];
        let next = compiled.apply(&state, rule).expect("a state");
        state = next.expect("the rule applies");
    }
    state
}

/// In blocks world and the 8-puzzle only moves undone at once are redundant at these lengths: the
/// table has one figure in all three columns.
#[test]
fn same_in_all_columns() {
    for (reference, depth) in [("blocks:10", 8), ("sliding-tiles:3:3", 20)] {
        let game = built_in(reference);
        let compiled = CompiledGame::new(&game);
        let by_parent = searcher(&game, None);
        let by_machine = [2, 3].map(|length| searcher(&game, Some(length)));
        for seed in 0..3 {
            let start = random_state(&game, &compiled, seed);
            let parent = total(&by_parent, &start, depth);
            assert!(parent > 1_000, "{reference}: {parent}");
            for searcher in &by_machine {
                assert_eq!(total(searcher, &start, depth), parent);
            }
        }
    }
}
