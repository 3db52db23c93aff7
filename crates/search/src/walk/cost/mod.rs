//! Walking a tree within a bound on estimated total cost, by a plan.
//!
//! The walk makes the same nodes in the same order as the [engine](crate::interpreter::engine) for
//! any game. Where the heuristic allows it, children above the bound are only estimated and not
//! made.

mod forms;
mod job;
mod lessons;
mod levels;
mod state;
mod unvisited;

use crate::kernel::{HasKernels, Instructions};
use crate::plan::Plan;
use crate::run::limits::{StopReason, Watch};
use crate::run::options::CycleDetection;
use crate::run::report::{LevelCount, Totals};
use crate::transposition::counts::TableCounts;
use crate::transposition::learner::Learner;
use crate::walk::cycles::PathTable;
use crate::walk::threshold::Frontier;

pub(crate) use forms::CostEstimator;
use job::{Walking, depth_after};
pub(crate) use state::{CostStart, CostTask, CostWalk, Wanted};
pub(crate) use unvisited::{Choice, Counted, Unvisited};

impl<'p, R: HasKernels, E: CostEstimator<R>> CostWalk<'p, R, E> {
    /// Make a walk, with or without a transposition table.
    pub(crate) fn new(plan: &'p Plan<R>, estimator: &'p E, learner: Option<Learner<'p>>) -> Self {
        Self {
            plan,
            estimator,
            levels: Vec::new(),
            path: PathTable::default(),
            learner,
            lessons: Vec::new(),
            batches: E::Batches::default(),
            streams: None,
            interleaved_depth: 1,
            start_depth: None,
            counts: Totals::default(),
            by_depth: Vec::new(),
            overflow: false,
            found: None,
            on_goal: None,
            unvisited: Vec::new(),
            ahead: Vec::new(),
        }
    }

    /// Begin as after a walk of the whole tree that made some nodes.
    pub(crate) fn continues_after(&mut self, last: u64) {
        self.interleaved_depth = depth_after(last);
    }

    /// Begin as another walk of the same tree that pauses, for walks of parts of it.
    pub(crate) fn continues(&mut self, other: &Self) {
        self.interleaved_depth = other.interleaved_depth;
    }

    /// Set the depth in the whole tree at which the next walk begins.
    pub(crate) fn begins_at(&mut self, depth: usize) {
        self.start_depth = Some(depth);
    }

    /// Walk the tree below a node.
    pub(crate) fn walk(
        &mut self,
        instructions: Instructions,
        start: &CostStart<R, E::Kept>,
        task: &CostTask,
        frontier: &mut Frontier,
        watch: &mut Watch<'_, '_>,
    ) -> Result<(), StopReason> {
        self.counts = Totals::default();
        self.by_depth.fill(LevelCount::default());
        self.path.clear();
        self.overflow = false;
        self.found = None;
        self.unvisited.clear();
        self.ahead.clear();
        let is_usual = task.wanted == Wanted::FirstGoal
            && task.cycles != CycleDetection::Path
            && !frontier.counts();
        let walking = Walking {
            walk: self,
            start,
            task,
            frontier,
            watch,
        };
        E::run(instructions, walking, is_usual)
    }

    /// Return the walks' counts of the table.
    pub(crate) fn table_counts(&self) -> TableCounts {
        let mut counts = TableCounts::default();
        if let Some(learner) = &self.learner {
            counts = learner.counts;
        }
        counts.peak_bytes = size_of_val(self.levels.as_slice())
            + size_of_val(self.lessons.as_slice())
            + size_of_val(self.by_depth.as_slice())
            + self.path.bytes();
        counts
    }
}
