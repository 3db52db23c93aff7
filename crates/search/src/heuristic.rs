//! Estimates of the cost that is still to come.

use crate::cell::Cell;
use crate::value_sums::ValueSums;

/// The estimate of a state from which no goal state can be reached.
pub const DEAD_END: u64 = u64::MAX;

/// Estimates what it costs at least to reach a goal state.
///
/// [`Search::ida_star`](crate::Search::ida_star) finds a solution of least cost when the heuristic is
/// *admissible*: no estimate is more than the least cost of a way to a goal state, and goal states
/// are estimated at 0. It need not be consistent.
pub trait Heuristic: Sync {
    /// The estimate for a state, given as one cell for each variable; [`DEAD_END`] when no goal
    /// state can be reached, which cuts the state off under every bound.
    ///
    /// Called once for each node. It must be a function of the state alone.
    fn estimate<C: Cell>(&self, state: &[C]) -> u64;

    /// The heuristic as a sum over the variables, if it is one: searches are much faster then.
    fn value_sums(&self) -> Option<&ValueSums> {
        None
    }
}

/// The heuristic that knows nothing: 0 for every state.
#[derive(Clone, Copy, Debug, Default)]
pub struct ZeroHeuristic;

impl Heuristic for ZeroHeuristic {
    #[inline]
    fn estimate<C: Cell>(&self, _state: &[C]) -> u64 {
        0
    }
}

impl<H: Heuristic> Heuristic for &H {
    #[inline]
    fn estimate<C: Cell>(&self, state: &[C]) -> u64 {
        (**self).estimate(state)
    }

    fn value_sums(&self) -> Option<&ValueSums> {
        (**self).value_sums()
    }
}
