//! Where an interleaved walk begins, how it ends, and what it counts.

use super::rows::Counted;
use crate::plan::PlanStateId;
use crate::run::report::Totals;

/// The minimum number of nodes that a walk makes before it pauses.
pub(crate) const LEAST_BEFORE_PAUSE: u64 = 1 << 12;

/// The top of an interleaved walk: a node that is not a goal and is within the bound.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InterleavedStart<R> {
    pub(crate) packed: R,
    pub(crate) total: u64,
    pub(crate) plan_state: PlanStateId,
}

/// A node of the interleaved walk's path, with its children that are still to be visited.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InterleavedLevel<R> {
    pub(crate) packed: R,
    pub(crate) total: u64,
    pub(crate) plan_state: PlanStateId,
    /// The children within the bound that come after the current one. Meaningless at the end of the
    /// path.
    pub(crate) bits: u32,
    /// The place in the list of the rule that led deeper.
    pub(crate) current: u32,
}

/// How an interleaved walk ended.
#[derive(Clone, Debug)]
pub(crate) enum InterleavedEnd<R> {
    /// The subtree was visited.
    Done,
    /// The current child of the last level is a goal with this estimated total cost.
    Goal {
        path: Vec<InterleavedLevel<R>>,
        total: u64,
    },
    /// The walk has to continue from the node of the last level, whose children are not made yet.
    Bail {
        path: Vec<InterleavedLevel<R>>,
        /// Whether a limit is near, so that the interleaved walk is of no further use.
        for_good: bool,
    },
    /// The walk pauses.
    Paused(Rest<R>),
}

/// The unvisited part of an interleaved walk that pauses.
#[derive(Clone, Debug)]
pub(crate) struct Rest<R> {
    /// Subtrees in order. None of their roots is a goal.
    pub(crate) subtrees: Vec<RestSubtree<R>>,
    /// The number of the subtree right after the nodes that the back has visited in its own
    /// subtree, and the counts of these nodes.
    pub(crate) current: Option<(usize, StreamCounts)>,
    /// The counts of nodes visited after all of the subtrees.
    pub(crate) behind: StreamCounts,
}

/// An unvisited subtree of an interleaved walk.
#[derive(Clone, Debug)]
pub(crate) struct RestSubtree<R> {
    pub(crate) start: InterleavedStart<R>,
    /// The plan states on the path to it, and the places of the rules in their lists.
    pub(crate) way: Vec<(PlanStateId, u32)>,
    /// What was counted already for nodes after it, besides children of nodes of the path.
    pub(crate) ahead: StreamCounts,
}

/// Counts of nodes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct StreamCounts {
    pub(crate) expanded: u64,
    pub(crate) generated: u64,
    pub(crate) forbidden: u64,
}

impl StreamCounts {
    pub(crate) fn add(&mut self, other: Self) {
        self.expanded += other.expanded;
        self.generated += other.generated;
        self.forbidden += other.forbidden;
    }

    /// Return the totals of these nodes.
    pub(crate) fn totals(&self, count_forbidden: bool) -> Totals {
        Totals {
            generated: u128::from(self.generated),
            expanded: u128::from(self.expanded),
            pruned_by_machine: u128::from(self.forbidden) * u128::from(count_forbidden),
            pruned_by_cycle: 0,
        }
    }

    pub(super) fn subtract(&mut self, other: Self) {
        self.expanded -= other.expanded;
        self.generated -= other.generated;
        self.forbidden -= other.forbidden;
    }

    /// Add the counts of steps: the sum of [`super::rows::Row::own`], and what children add.
    pub(super) fn add_steps(&mut self, n: usize, own: u64, children: &Counted) {
        self.expanded += n as u64 + children.expanded;
        self.generated += (own & u64::from(u32::MAX)) + children.generated;
        self.forbidden += (own >> 32) + children.forbidden;
    }
}
