//! What a walk is given, and what it keeps.

use super::levels::Level;
use super::unvisited::{Counted, Siblings, Unvisited};
use crate::kernel::HasKernels;
use crate::plan::{Plan, PlanStateId};
use crate::run::options::CycleDetection;
use crate::run::report::{LevelCount, Totals};
use crate::transposition::learner::{Learner, Lesson};
use crate::walk::cycles::PathTable;
use crate::walk::evaluator::Estimator;
use crate::walk::interleaved::InterleavedStreams;
use crate::walk::outcome::{Found, OnGoal};

/// What a walk looks for, which decides how it treats goals and nodes beyond the bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// Nodes within the bound are counted, by depth. Goals are ordinary nodes; nodes beyond the
    /// bound are not generated.
    Count,
    /// The first goal ends the walk.
    FirstGoal,
    /// Each goal lowers the bound below its own cost: the last one found costs least.
    BestGoal,
    /// All goals within the bound are passed on.
    AllGoals,
}

/// The task of a walk.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CostTask {
    /// The greatest estimated total cost of an expanded node.
    pub(crate) bound: u64,
    pub(crate) wanted: Wanted,
    /// Which children are left out because their state is on their path.
    pub(crate) cycles: CycleDetection,
    /// Whether children that the machine forbids are counted.
    pub(crate) count_forbidden: bool,
    /// Whether nodes are counted by depth. There is no interleaved walk then.
    pub(crate) count_depths: bool,
}

impl CostTask {
    /// Return whether children that equal their grandparent are left out.
    pub(crate) fn prunes_parents(&self) -> bool {
        self.cycles == CycleDetection::Parent
    }
}

/// A node where a walk begins: not a goal, and within the bound.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CostStart<R, S> {
    /// Which of its children are visited, if not all: another walk has expanded the node then.
    pub(crate) siblings: Option<Siblings>,
    pub(crate) packed: R,
    pub(crate) kept: S,
    pub(crate) plan_state: PlanStateId,
    pub(crate) total: u64,
    /// The state before the last rule, for parent pruning; none at the root.
    pub(crate) parent: Option<R>,
    /// Its lesson for the transposition table; meaningless without one.
    pub(crate) lesson: Lesson,
}

/// Walks trees; reused for each iteration of a search.
pub(crate) struct CostWalk<'p, R, E: Estimator<R>> {
    pub(super) plan: &'p Plan<R>,
    pub(super) estimator: &'p E,
    /// The levels of the path. The stack never shrinks.
    pub(super) levels: Vec<Level<R, E::Kept>>,
    /// The states of the path, if children are compared with all of them.
    pub(super) path: PathTable,
    /// The transposition table, if there is one.
    pub(super) learner: Option<Learner<'p>>,
    /// The lessons of the nodes of the path, for the table: one for each level.
    pub(super) lessons: Vec<Lesson>,
    /// The children of the nodes of the path, if those of a node are estimated together.
    pub(super) batches: E::Batches,
    /// The memory of the interleaved walk, once one was made.
    pub(super) streams: Option<InterleavedStreams<R>>,
    /// The depth from which on walks of the whole tree leave nodes to interleaved walks; and those
    /// of parts of it, if their depth is known.
    pub(super) interleaved_depth: usize,
    /// The depth of the start in the whole tree, if it is known.
    pub(super) start_depth: Option<usize>,
    /// The counts of the last walk, without the root.
    pub(crate) counts: Totals,
    /// The counts by depth below the start, if requested; the list never shrinks.
    pub(crate) by_depth: Vec<LevelCount>,
    /// Whether a path was left out because its cost doesn't fit in 64 bits.
    pub(crate) overflow: bool,
    /// The best solution of the last walk.
    pub(crate) found: Option<Found>,
    /// What is done with each goal, if all are wanted.
    pub(crate) on_goal: Option<OnGoal<'p>>,
    /// The parts of the tree that the last walk didn't visit because it
    /// [paused](crate::run::limits::Pause), in its order.
    pub(crate) unvisited: Vec<Unvisited<R, E::Kept>>,
    /// Nodes that the last walk visited after some of these parts. They are not in its counts.
    pub(crate) ahead: Vec<Counted>,
}

impl<R: HasKernels, E: Estimator<R>> CostWalk<'_, R, E> {
    /// Return whether a walk from a start is one of the whole tree.
    pub(super) fn is_whole(&self, start: &CostStart<R, E::Kept>) -> bool {
        start.plan_state == Plan::<R>::ROOT && start.siblings.is_none()
    }

    /// Return the depth of a start in the whole tree, if it is known.
    pub(super) fn depth_of(&self, start: &CostStart<R, E::Kept>) -> Option<usize> {
        if self.is_whole(start) {
            Some(0)
        } else {
            self.start_depth
        }
    }
}
