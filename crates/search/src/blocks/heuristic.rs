//! Heuristics that estimate many states at once, and what the searches ask of them.

use std::sync::Arc;

use super::block::StateBlock;
use super::error::BlockError;
use crate::game::cell::Cell;
use crate::heuristic::DEAD_END;

/// A heuristic that estimates many states at once.
pub trait BlockHeuristic {
    /// Why it can't estimate a state.
    type Error;

    /// Return an estimate for each state, in their order; [`DEAD_END`], the greatest number, where
    /// no goal can be reached. An estimate must be a function of the state alone.
    ///
    /// # Errors
    /// Any error; it ends the search.
    fn estimate(&mut self, states: &Arc<StateBlock>) -> Result<Vec<u64>, Self::Error>;
}

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

/// Get the estimates of states in rows, and refuse a wrong number of them. The heuristic reads the
/// rows in place, and they are returned to `rows` afterwards.
pub(super) fn estimates<C: Cell>(
    heuristic: &mut AnyHeuristic<'_>,
    rows: &mut Vec<C>,
    n_variables: usize,
    n_states: usize,
) -> Result<Vec<u64>, BlockError<Failed>> {
    if n_states == 0 {
        return Ok(Vec::new());
    }
    let block = Arc::new(StateBlock::new(std::mem::take(rows), n_variables, n_states));
    let found = heuristic.estimate(&block).map_err(BlockError::Heuristic)?;
    // A heuristic may keep the block. Then the rows are copied for the search.
    *rows = Arc::unwrap_or_clone(block).into_rows();
    if found.len() != n_states {
        return Err(BlockError::WrongNumber {
            found: found.len(),
            expected: n_states,
        });
    }
    Ok(found)
}

/// Return the estimated cost of a path of cost `g` and estimate `h`; `None` for a dead end.
pub(super) fn score(g: u64, h: u64) -> Option<u64> {
    (h != DEAD_END).then(|| g.saturating_add(h))
}
