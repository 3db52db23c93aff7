//! The loop of the walk by cost.

mod children;
mod enter;

use std::marker::PhantomData;
use std::ops::ControlFlow;

use crate::kernel::{HasKernels, Job, Kernel};
use crate::plan::{Plan, PlanStateId};
use crate::run::limits::{StopReason, Watch};
use crate::run::options::CycleDetection;
use crate::run::report::{LevelCount, Totals};
use crate::walk::cost::lessons::Observer;
use crate::walk::cost::levels::{Level, counted_behind, rules_along, take_off};
use crate::walk::cost::{CostStart, CostTask, CostWalk, Wanted};
use crate::walk::cycles::PathTable;
use crate::walk::evaluator::Estimator;
use crate::walk::interleaved::{InterleavedCounts, InterleavedTables};
use crate::walk::outcome::{Found, Least};
use crate::walk::stack;
use crate::walk::steps::NodeAllowance;
use crate::walk::threshold::Frontier;

pub(super) use enter::depth_after;
use enter::{DEEPER, Interleaving};

/// The data that a walk works with.
pub(crate) struct Walking<'w, 'p, 's, 't, R, E: Estimator<R>> {
    pub(super) walk: &'w mut CostWalk<'p, R, E>,
    pub(super) start: &'w CostStart<R, E::Kept>,
    pub(super) task: &'w CostTask,
    pub(super) frontier: &'w mut Frontier,
    pub(super) watch: &'w mut Watch<'s, 't>,
}

/// The walk: with all that it can do (`FULL`), or without whole paths, best solutions, counts of
/// trees, and counts of nodes beyond the bound. `O` is what it learns.
pub(super) struct WalkJob<W, O, const FULL: bool>(W, PhantomData<O>);

impl<W, O, const FULL: bool> WalkJob<W, O, FULL> {
    pub(super) fn new(walking: W) -> Self {
        Self(walking, PhantomData)
    }
}

/// Where a walk is. These values are apart from the others, so that the compiler can keep them in
/// registers.
struct Cursor<R, S> {
    depth: usize,
    /// The children of the node at this depth that are still to be tried.
    bits: u64,
    bound: u64,
    /// The node to be entered.
    node: Node<R, S>,
}

#[derive(Clone, Copy)]
struct Node<R, S> {
    packed: R,
    kept: S,
    plan_state: PlanStateId,
    total: u64,
}

/// What a walk does next.
enum Next {
    /// It tries the next child of the node.
    Child,
    /// It enters a node.
    Node,
    /// It ends.
    End(Result<(), StopReason>),
}

/// A walk under way.
struct Walker<'w, 'p, 's, 't, R, E: Estimator<R>, K, O, const FULL: bool> {
    kernel: K,
    plan: &'p Plan<R>,
    estimator: &'p E,
    walk: &'w mut CostWalk<'p, R, E>,
    start: &'w CostStart<R, E::Kept>,
    task: &'w CostTask,
    frontier: &'w mut Frontier,
    watch: &'w mut Watch<'s, 't>,
    levels: Vec<Level<R, E::Kept>>,
    /// The bytes of each level beside the stack.
    beside_bytes: usize,
    by_depth: Vec<LevelCount>,
    batches: E::Batches,
    path: PathTable,
    observer: O,
    allowance: NodeAllowance,
    interleaving: Interleaving<'p, R>,
    may_pause: bool,
    /// The nodes generated before the walk, those counted but not made, and those made out of turn.
    generated_before: u64,
    not_made: u64,
    ahead_generated: u64,
    expanded: u64,
    pruned: u64,
    n_cycles: u64,
    least: Least,
    overflow: bool,
    found: Option<Found>,
}

impl<'p, R: HasKernels, E: Estimator<R>, O: Observer<'p, R, E>, const FULL: bool> Job<R>
    for WalkJob<Walking<'_, 'p, '_, '_, R, E>, O, FULL>
{
    type Output = Result<(), StopReason>;

    #[inline(always)]
    fn run<K: Kernel<R>>(self, kernel: K) -> Self::Output {
        let start = self.0.start;
        let mut cursor = Cursor {
            depth: 0,
            bits: 0,
            bound: self.0.task.bound,
            node: Node {
                packed: start.packed,
                kept: start.kept,
                plan_state: start.plan_state,
                total: start.total,
            },
        };
        let mut walker = Walker::<_, _, _, O, FULL>::new(self.0, kernel)?;
        let end = 'walk: loop {
            if let Next::End(end) = walker.enter(&mut cursor) {
                break end;
            }
            loop {
                match walker.next_child(&mut cursor) {
                    Next::Child => {}
                    Next::Node => break,
                    Next::End(end) => break 'walk end,
                }
            }
        };
        walker.finish();
        end
    }
}

impl<'w, 'p, 's, 't, R, E, K, O, const FULL: bool> Walker<'w, 'p, 's, 't, R, E, K, O, FULL>
where
    R: HasKernels,
    E: Estimator<R>,
    K: Kernel<R>,
    O: Observer<'p, R, E>,
{
    /// Whether there may be an interleaved walk.
    const INTERLEAVES: bool = !O::LEARNS && R::INTERLEAVES && E::INTERLEAVES;

    #[inline(always)]
    fn new(walking: Walking<'w, 'p, 's, 't, R, E>, kernel: K) -> Result<Self, StopReason> {
        let Walking {
            walk,
            start,
            task,
            frontier,
            watch,
        } = walking;
        let (plan, estimator) = (walk.plan, walk.estimator);
        let levels = std::mem::take(&mut walk.levels);
        let mut batches = std::mem::take(&mut walk.batches);
        estimator.reserve_batches(&mut batches, levels.len())?;
        let generated_before = watch.generated();
        let allowance = NodeAllowance::new(watch)?;
        let by_path = FULL && task.cycles == CycleDetection::Path;
        let wanted = if FULL { task.wanted } else { Wanted::FirstGoal };
        let counts_beyond = FULL && frontier.counts();
        let is_plain = task.cycles == CycleDetection::None
            && wanted == Wanted::FirstGoal
            && !task.count_depths
            && !counts_beyond;
        let tables = if Self::INTERLEAVES && is_plain {
            let tables = estimator.interleaved();
            tables.filter(|tables: &&InterleavedTables<R>| tables.serves(task.bound))
        } else {
            None
        };
        Ok(Self {
            kernel,
            plan,
            estimator,
            levels,
            beside_bytes: stack::path_bytes(by_path)
                + O::BYTES_PER_LEVEL
                + estimator.bytes_of_batch(),
            by_depth: std::mem::take(&mut walk.by_depth),
            batches,
            path: std::mem::take(&mut walk.path),
            observer: O::begin(walk, start.lesson),
            allowance,
            interleaving: Interleaving::new(tables, walk.interleaved_depth, walk.depth_of(start)),
            // A subtree that is handed over contains neither the table's lessons nor the path that
            // was searched.
            may_pause: !O::LEARNS && !by_path && wanted == Wanted::FirstGoal && !counts_beyond,
            generated_before,
            not_made: 0,
            ahead_generated: 0,
            expanded: 0,
            pruned: 0,
            n_cycles: 0,
            least: Least::default(),
            overflow: false,
            found: None,
            walk,
            start,
            task,
            frontier,
            watch,
        })
    }

    /// Whether children are compared with all states of their path.
    #[inline(always)]
    fn by_path(&self) -> bool {
        FULL && self.task.cycles == CycleDetection::Path
    }

    #[inline(always)]
    fn wanted(&self) -> Wanted {
        if FULL {
            self.task.wanted
        } else {
            Wanted::FirstGoal
        }
    }

    /// Whether nodes beyond the bound are counted.
    #[inline(always)]
    fn counts_beyond(&self) -> bool {
        FULL && self.frontier.counts()
    }

    /// Return the number of nodes that the search has generated.
    #[inline(always)]
    fn generated(&self) -> u64 {
        self.watch.generated() + self.allowance.used()
    }

    /// Take the children that weren't made off the counts by depth, down to a depth.
    #[cold]
    fn take_off(&mut self, n_levels: usize) {
        let path = &self.levels[..n_levels];
        take_off(&mut self.by_depth, path, self.task.count_depths);
    }

    /// Note a solution, whose last rule is the current one at the cursor's depth.
    #[cold]
    fn goal(&mut self, cursor: &mut Cursor<R, E::Kept>, total: u64) -> Next {
        let path = &self.levels[..=cursor.depth];
        let rules = rules_along(&self.plan.graph, path);
        if self.wanted() == Wanted::AllGoals {
            let on_goal = self.walk.on_goal.as_mut();
            return match on_goal.map(|on_goal| on_goal(&rules)) {
                Some(ControlFlow::Continue(())) => Next::Child,
                Some(ControlFlow::Break(())) | None => Next::End(Ok(())),
            };
        }
        self.found = Some(Found { total, rules });
        // Nothing costs less than nothing.
        if self.wanted() == Wanted::BestGoal
            && let Some(below) = total.checked_sub(1)
        {
            self.observer.beyond(cursor.depth, total);
            cursor.bound = below;
            return Next::Child;
        }
        // The later children were not made.
        self.not_made += counted_behind(&self.plan.graph, path);
        self.take_off(cursor.depth + 1);
        Next::End(Ok(()))
    }

    /// Give back what the walk has taken, with its results.
    fn finish(mut self) {
        if self.task.count_forbidden {
            self.pruned += self.interleaving.counts.forbidden;
        }
        self.allowance.finish(self.watch);
        let walk = self.walk;
        if walk.is_whole(self.start) {
            // The next walk from the root is a larger one.
            walk.interleaved_depth = self.interleaving.depth + DEEPER;
        } else if let Some(start_depth) = walk.start_depth {
            walk.interleaved_depth = self.interleaving.depth + start_depth;
        }
        self.frontier.merge(self.least);
        walk.levels = self.levels;
        walk.by_depth = self.by_depth;
        walk.path = self.path;
        walk.batches = self.batches;
        self.observer.end(walk);
        walk.overflow = self.overflow;
        walk.found = self.found;
        let InterleavedCounts { expanded, .. } = self.interleaving.counts;
        let not_here = self.generated_before + self.not_made + self.ahead_generated;
        walk.counts = Totals {
            generated: u128::from(self.watch.generated() - not_here),
            expanded: u128::from(self.expanded + expanded),
            pruned_by_machine: u128::from(self.pruned),
            pruned_by_cycle: u128::from(self.n_cycles),
        };
    }
}
