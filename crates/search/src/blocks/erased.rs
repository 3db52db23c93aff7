//! Heuristics behind one type, so that the searches are compiled once, in this crate, and not for
//! each type of heuristic in the crates that use it.

use std::sync::Arc;

use super::{BlockError, BlockHeuristic, StateBlock};

/// The heuristic failed. Its error is kept aside.
pub(super) struct Failed;

/// A heuristic of any type.
pub(super) type AnyHeuristic<'h> = dyn BlockHeuristic<Error = Failed> + 'h;

/// A heuristic, and the error that ended the search.
struct Erased<'h, H: BlockHeuristic + ?Sized> {
    heuristic: &'h mut H,
    error: Option<H::Error>,
}

impl<H: BlockHeuristic + ?Sized> BlockHeuristic for Erased<'_, H> {
    type Error = Failed;

    fn estimate(&mut self, states: &Arc<StateBlock>) -> Result<Vec<u64>, Failed> {
        self.heuristic.estimate(states).map_err(|error| {
            self.error = Some(error);
            Failed
        })
    }
}

/// Call a search with a heuristic behind one type, and return its own error if it failed.
pub(super) fn with_erased<H: BlockHeuristic + ?Sized, T>(
    heuristic: &mut H,
    search: impl FnOnce(&mut AnyHeuristic<'_>) -> Result<T, BlockError<Failed>>,
) -> Result<T, BlockError<H::Error>> {
    let mut erased = Erased {
        heuristic,
        error: None,
    };
    search(&mut erased).map_err(|error| match error {
        BlockError::Start(error) => BlockError::Start(error),
        BlockError::Machine(error) => BlockError::Machine(error),
        BlockError::FreeRules => BlockError::FreeRules,
        BlockError::WrongNumber { found, expected } => BlockError::WrongNumber { found, expected },
        BlockError::Stopped(reason) => BlockError::Stopped(reason),
        BlockError::Heuristic(Failed) => {
            BlockError::Heuristic(erased.error.expect("a failed heuristic leaves its error"))
        }
    })
}
