//! Why a search with estimates for blocks of states fails.

use crate::best_first::UnsafeCombination;
use crate::game::compiled::StateMismatch;
use crate::run::limits::StopReason;

/// Why a search with estimates for blocks of states can't begin, or can't go on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BlockError<E> {
    /// A state is not a state of the game.
    #[error(transparent)]
    Start(#[from] StateMismatch),
    /// The searcher has a machine that prunes moves, and the search detects duplicates.
    #[error(transparent)]
    Machine(#[from] UnsafeCombination),
    /// The search follows paths, and some rule costs nothing.
    #[error("a search along paths would not end where rules cost nothing")]
    FreeRules,
    /// The heuristic gave more or fewer estimates than there are states.
    #[error("the heuristic gave {found} estimates for {expected} states")]
    WrongNumber {
        /// The number of estimates.
        found: usize,
        /// The number of states.
        expected: usize,
    },
    /// A limit was reached, and there is no partial result.
    #[error("{0}")]
    Stopped(StopReason),
    /// The heuristic failed.
    #[error("the heuristic failed: {0}")]
    Heuristic(E),
}
