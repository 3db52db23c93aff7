//! Combinations that aren't possible report why.

use search::{
    BestFirstError, CompiledGame, DuplicateDetection, Searcher, UnsafeCombination, Weight,
    ZeroHeuristic,
};

use crate::oracle::generated;

#[test]
fn the_reason_is_given() {
    let error = UnsafeCombination {
        detection: DuplicateDetection::ClosedList,
    };
    assert_eq!(
        error.to_string(),
        "a machine that prunes moves can't be combined with the closed list of a best-first \
         search: the rules that may follow a state then depend on the path to it, and a state that was \
         reached on one path would be dropped on another, the only one that may go on; solutions \
         would be lost (Burch & Holte 2011, \"Automatic Move Pruning in General Single-Player \
         Games\", Figure 1; Holte 2013, \"Move Pruning and Duplicate Detection\")"
    );
    let error = UnsafeCombination {
        detection: DuplicateDetection::TranspositionTable,
    };
    assert!(
        error
            .to_string()
            .contains("a transposition table keyed by states alone")
    );
}

#[test]
fn a_searcher_with_a_machine_refuses_closed_lists() {
    let game = generated("pancake:4");
    let start = game.goal_state().unwrap();
    let machine = fsm::Unrestricted;
    let searcher = Searcher::builder(&CompiledGame::new(&game)).machine(machine);
    let searcher = searcher.build();
    let mut run = searcher.run();
    let refused = BestFirstError::Machine(UnsafeCombination {
        detection: DuplicateDetection::ClosedList,
    });
    for result in [
        run.explore(&start),
        run.bfs(&start),
        run.uniform_cost(&start),
        run.a_star(&start, &ZeroHeuristic),
        run.weighted_a_star(&start, &ZeroHeuristic, Weight::ONE),
        run.dfs_closed(&start, 3),
        run.bidirectional(&start),
    ] {
        assert_eq!(result.unwrap_err(), refused);
    }
    // Its table is keyed by machine states too.
    let mut run = searcher.run().transposition_table(1 << 12);
    assert!(run.ida_star(&start, &ZeroHeuristic).unwrap().solved());
}
