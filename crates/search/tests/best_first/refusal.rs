//! What can't be combined says why.

use search::{DuplicateDetection, UnsafeCombination};

#[test]
fn the_reason_is_given() {
    let error = UnsafeCombination {
        detection: DuplicateDetection::ClosedList,
    };
    assert_eq!(
        error.to_string(),
        "a machine that prunes moves can't be combined with the closed list of a best-first \
         search: what may follow a state then depends on the path to it, and a state that was \
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
