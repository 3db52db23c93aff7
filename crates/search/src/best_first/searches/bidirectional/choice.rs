//! What a search from both ends leaves to its algorithm: which node comes next, and what is proved.

use crate::best_first::budget::Budget;
use crate::best_first::closed::nodes::Nodes;
use crate::run::limits::StopReason;

/// A state that was reached at a new least cost.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reached {
    pub(super) id: u32,
    pub(super) cost: u64,
    /// The estimate of the cost to the other end; 0 without a heuristic.
    pub(super) ahead: u64,
    /// The estimate of the cost from the end where the direction begins, or 0.
    pub(super) behind: u64,
}

/// The open nodes of both directions, and the choice among them.
///
/// A node may be in the lists at several costs; it counts at the one that `Nodes` has now.
pub(super) trait Choice {
    /// Put a node in.
    fn push(&mut self, side: usize, node: Reached, budget: &mut Budget) -> Result<(), StopReason>;

    /// Return a cost that all solutions have at least whose sides have not met; `None` when one
    /// direction has no open node.
    fn bound(
        &mut self,
        nodes: [&Nodes; 2],
        budget: &mut Budget,
    ) -> Result<Option<u128>, StopReason>;

    /// After [`bound`](Self::bound), take out the node to expand, and return its direction and
    /// number.
    fn pop(&mut self, nodes: [&Nodes; 2]) -> Option<(usize, u32)>;

    /// Return the size of the lists of one direction in bytes.
    fn bytes(&self, side: usize) -> usize;
}
