//! Combinations of techniques that are unsafe, and why.

/// A technique that recognizes states by whatever path they are reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DuplicateDetection {
    /// Breadth-first search, uniform cost, A* and its relatives: closed lists.
    ClosedList,
    /// A transposition table whose entries are found by the state alone.
    TranspositionTable,
}

/// Move pruning was requested together with duplicate detection by state.
///
/// The searches with closed lists return this error when their searcher has a machine. The table of
/// [`Run::transposition_table`](crate::Run::transposition_table) can't cause it, since its keys
/// contain the state of the machine; the variant is for programs that let users choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[error(
    "a machine that prunes moves can't be combined with {}: the rules that may follow a state then depend \
     on the path to it, and a state that was reached on one path would be dropped on another, the \
     only one that may go on; solutions would be lost (Burch & Holte 2011, \"Automatic Move \
     Pruning in General Single-Player Games\", Figure 1; Holte 2013, \"Move Pruning and Duplicate \
     Detection\")",
    self.technique()
)]
pub struct UnsafeCombination {
    /// The technique that was requested together with a machine.
    pub detection: DuplicateDetection,
}

impl UnsafeCombination {
    fn technique(self) -> &'static str {
        match self.detection {
            DuplicateDetection::ClosedList => "the closed list of a best-first search",
            DuplicateDetection::TranspositionTable => "a transposition table keyed by states alone",
        }
    }
}
