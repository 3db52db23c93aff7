//! Trees within a bound on estimated total cost, with several threads.

use crate::kernel::{HasKernels, Instructions, Job, Kernel};
use crate::plan::Plan;
use crate::run::hand_out::Piece;
use crate::run::limits::{Shared, StopReason, Watch};
use crate::run::report::{LevelCount, Totals};
use crate::transposition::counts::TableCounts;
use crate::transposition::learner::{Learner, Lesson};
use crate::walk::cost::{CostEstimator, CostStart, CostTask, CostWalk, Wanted};
use crate::walk::evaluator::{Estimator, Expansion, Step};
use crate::walk::outcome::{Found, Least};
use crate::walk::parallel::{self, Queue, first_reason, run};
use crate::walk::steps::{children, forbidden, is_goal};
use crate::walk::threshold::Frontier;

/// The maximum number of plies that are made before the tree is cut: a tree that still has too few
/// nodes then is left to one thread.
const MAX_PLIES: usize = 64;

/// A node where a thread begins, with the rules that lead to it.
#[derive(Clone, Debug)]
struct Subtree<R, S> {
    start: CostStart<R, S>,
    path: Vec<u32>,
}

impl<R, S> Subtree<R, S> {
    /// Return the rules from the start.
    fn path(&self) -> &[u32] {
        &self.path
    }
}

/// The result of a walk.
pub(crate) struct CostResult {
    pub(crate) end: Result<(), StopReason>,
    pub(crate) counts: Totals,
    /// By depth, if requested. The root is not counted.
    pub(crate) levels: Vec<LevelCount>,
    pub(crate) overflow: bool,
    pub(crate) found: Option<Found>,
    /// The threads' counts of the transposition table.
    pub(crate) table: TableCounts,
}

impl CostResult {
    fn add(&mut self, piece: Piece) {
        self.counts.merge(&piece.counts);
        add_from(&mut self.levels, 0, &piece.levels);
        self.overflow |= piece.overflow;
        if let Some((total, rules)) = piece.found {
            self.found = Some(Found { total, rules });
        }
    }

    /// Add the result of one of several threads. Return why it was stopped, if it was.
    fn add_thread(&mut self, thread: Self) -> Option<StopReason> {
        self.counts.merge(&thread.counts);
        add_from(&mut self.levels, 0, &thread.levels);
        self.overflow |= thread.overflow;
        // Each of them holds a path at the same time.
        let peak_bytes = self.table.peak_bytes + thread.table.peak_bytes;
        self.table.add(&thread.table);
        self.table.peak_bytes = peak_bytes;
        if let Some(found) = thread.found
            && self
                .found
                .as_ref()
                .is_none_or(|best| found.total < best.total)
        {
            self.found = Some(found);
        }
        thread.end.err()
    }
}

/// Search a subtree that was handed out.
fn search_piece<R: HasKernels, E: CostEstimator<R>>(
    walk: &mut CostWalk<'_, R, E>,
    instructions: Instructions,
    subtree: &Subtree<R, E::Kept>,
    task: &CostTask,
    watch: &mut Watch<'_, '_>,
) -> Result<Piece, StopReason> {
    let mut frontier = Frontier::least();
    let end = walk.walk(instructions, &subtree.start, task, &mut frontier, watch);
    let found = walk.found.take();
    if found.is_none() {
        end?;
    }
    let mut levels = Vec::new();
    add_from(&mut levels, subtree.path.len(), &walk.by_depth);
    let way = |found: Found| {
        let path = subtree.path.iter().chain(&found.rules).copied();
        (found.total, path.collect())
    };
    Ok(Piece {
        counts: walk.counts,
        levels,
        goals: 0,
        overflow: walk.overflow,
        beyond: frontier.least_total().total(),
        found: found.map(way),
    })
}

/// What all threads of a walk share.
struct Tree<'a, R, E> {
    plan: &'a Plan<R>,
    estimator: &'a E,
    learner: Option<&'a Learner<'a>>,
    instructions: Instructions,
    task: &'a CostTask,
}

/// A tree whose first plies are made.
struct Cut<R, S> {
    subtrees: Vec<Subtree<R, S>>,
    counts: Totals,
    levels: Vec<LevelCount>,
    overflow: bool,
    least: Least,
}

/// Walk the tree below a root with several threads. Return `None`, and do nothing, when the tree is
/// too small for that, or when a goal that would end the search is near its top. `last` is an
/// estimate of the number of nodes, such as that of the last round.
#[allow(
    clippy::too_many_arguments,
    reason = "what a walk needs, and the threads"
)]
pub(crate) fn cost_in_parallel<R: HasKernels, E: CostEstimator<R>>(
    plan: &Plan<R>,
    estimator: &E,
    learner: Option<&Learner<'_>>,
    instructions: Instructions,
    root: &CostStart<R, E::Kept>,
    task: &CostTask,
    n_threads: usize,
    last: u64,
    frontier: &mut Frontier,
    watch: &mut Watch<'_, '_>,
) -> Option<CostResult> {
    let tree = Tree {
        plan,
        estimator,
        learner,
        instructions,
        task,
    };
    let enough = parallel::subtrees(watch.hand_out, n_threads, last);
    let Cut {
        subtrees,
        counts,
        levels,
        overflow,
        least,
    } = tree.cut(root, enough)?;
    frontier.merge(least);
    watch.note(u64::try_from(counts.generated).unwrap_or(u64::MAX));
    let mut result = CostResult {
        end: Ok(()),
        counts,
        levels,
        overflow,
        found: None,
        table: TableCounts::default(),
    };
    if let Some(hand_out) = watch.hand_out {
        let search = |subtree: &Subtree<R, E::Kept>, watch: &mut Watch<'_, '_>| {
            let mut walk = CostWalk::new(plan, estimator, None);
            search_piece(&mut walk, instructions, subtree, task, watch)
        };
        let path = &Subtree::path;
        let pieces = parallel::hand_out(hand_out, task.bound, &subtrees, path, watch, &search);
        result.end = pieces.as_ref().map(|_| ()).map_err(|reason| *reason);
        for piece in pieces.unwrap_or_default() {
            if let Some(total) = piece.beyond {
                frontier.beyond(total);
            }
            result.add(piece);
        }
        return Some(result);
    }
    let shared = Shared::of(watch);
    let worker = |queue: Queue<'_, Subtree<R, E::Kept>>, watch: &mut Watch<'_, '_>| {
        tree.search(queue, &shared, watch)
    };
    let outputs = run(n_threads, &subtrees, &shared, watch, &worker);
    let mut reasons = Vec::new();
    for (least, output) in outputs {
        frontier.merge(least);
        reasons.extend(result.add_thread(output));
    }
    watch.note(shared.generated() - watch.generated());
    result.end = match first_reason(&shared, reasons.into_iter()) {
        Some(reason) if result.found.is_none() => Err(reason),
        _ => Ok(()),
    };
    Some(result)
}

impl<R: HasKernels, E: CostEstimator<R>> Tree<'_, R, E> {
    /// Make plies until there are enough subtrees. `None` if the tree ends before, or has a goal
    /// there.
    fn cut(&self, root: &CostStart<R, E::Kept>, enough: usize) -> Option<Cut<R, E::Kept>> {
        let mut cut = Cut {
            subtrees: vec![Subtree {
                start: *root,
                path: Vec::new(),
            }],
            counts: Totals::default(),
            levels: Vec::new(),
            overflow: false,
            least: Least::default(),
        };
        for ply in 0.. {
            if cut.subtrees.len() >= enough {
                break;
            }
            if cut.subtrees.is_empty() || ply == MAX_PLIES {
                return None;
            }
            let mut next = Vec::new();
            let is_clear = R::with_any_kernel(Ply {
                plan: self.plan,
                estimator: self.estimator,
                learner: self.learner,
                subtrees: &cut.subtrees,
                task: self.task,
                counts: &mut cut.counts,
                levels: &mut cut.levels,
                overflow: &mut cut.overflow,
                beyond: &mut cut.least,
                children: &mut next,
            });
            if !is_clear {
                return None;
            }
            cut.subtrees = next;
        }
        Some(cut)
    }

    /// Search subtrees of a queue, as one of several threads, until one has a goal.
    fn search(
        &self,
        queue: Queue<'_, Subtree<R, E::Kept>>,
        shared: &Shared,
        watch: &mut Watch<'_, '_>,
    ) -> (Least, CostResult) {
        let mut walk = CostWalk::new(self.plan, self.estimator, self.learner.cloned());
        let mut frontier = Frontier::least();
        let mut result = CostResult {
            end: Ok(()),
            counts: Totals::default(),
            levels: Vec::new(),
            overflow: false,
            found: None,
            table: TableCounts::default(),
        };
        while let Some(subtree) = queue.next() {
            let start = &subtree.start;
            result.end = walk.walk(self.instructions, start, self.task, &mut frontier, watch);
            result.counts.merge(&walk.counts);
            add_from(&mut result.levels, subtree.path.len(), &walk.by_depth);
            result.overflow |= walk.overflow;
            if let Some(Found { total, rules }) = walk.found.take() {
                shared.stop();
                let path = subtree.path.iter().chain(&rules).copied();
                result.found = Some(Found {
                    total,
                    rules: path.collect(),
                });
            }
            if result.end.is_err() || result.found.is_some() {
                break;
            }
        }
        result.table = walk.table_counts();
        (frontier.least_total(), result)
    }
}

/// Add counts by depth, of which the first belongs to `depth`.
pub(super) fn add_from(levels: &mut Vec<LevelCount>, depth: usize, counts: &[LevelCount]) {
    if levels.len() < depth + counts.len() {
        levels.resize(depth + counts.len(), LevelCount::default());
    }
    for (level, count) in levels[depth..].iter_mut().zip(counts) {
        level.add(count);
    }
}

/// Makes the children of all nodes of a ply.
struct Ply<'a, R, E: Estimator<R>> {
    plan: &'a Plan<R>,
    estimator: &'a E,
    learner: Option<&'a Learner<'a>>,
    subtrees: &'a [Subtree<R, E::Kept>],
    task: &'a CostTask,
    counts: &'a mut Totals,
    levels: &'a mut Vec<LevelCount>,
    overflow: &'a mut bool,
    beyond: &'a mut Least,
    children: &'a mut Vec<Subtree<R, E::Kept>>,
}

/// A goal is among the children of a ply, or there is no memory to estimate them.
struct NoPly;

impl<R: HasKernels, E: Estimator<R>> Job<R> for Ply<'_, R, E> {
    /// Whether all children were made and no goal is among them.
    type Output = bool;

    #[inline(always)]
    fn run<K: Kernel<R>>(mut self, kernel: K) -> bool {
        let mut batches = E::Batches::default();
        let is_ready = self.estimator.reserve_batches(&mut batches, 1).is_ok();
        let mut subtrees = self.subtrees.iter();
        is_ready && subtrees.all(|subtree| self.expand(kernel, subtree, &mut batches).is_ok())
    }
}

impl<R: HasKernels, E: Estimator<R>> Ply<'_, R, E> {
    /// Make the children of a node.
    #[inline(always)]
    fn expand<K: Kernel<R>>(
        &mut self,
        kernel: K,
        subtree: &Subtree<R, E::Kept>,
        batches: &mut E::Batches,
    ) -> Result<(), NoPly> {
        let Subtree { start, path } = subtree;
        let plan = self.plan;
        let plan_state = plan.plan_state(start.plan_state);
        let mut count = LevelCount::default();
        if self.task.count_forbidden {
            count.pruned_by_machine = forbidden(plan, kernel, &start.packed, plan_state);
        }
        let parent = start.parent.as_ref();
        for block in (0..plan_state.n as usize).step_by(64) {
            let (bits, back) = children(plan, kernel, &start.packed, parent, plan_state, block);
            count.pruned_by_cycle += u64::from(back.count_ones());
            count.generated += u64::from(bits.count_ones());
            self.estimator.begin_batch(batches, 0);
            let node = Expansion {
                packed: &start.packed,
                kept: &start.kept,
                depth: 0,
                changes: plan.lists.changes(),
                first: plan_state.changes as usize + block,
                bound: self.task.bound,
            };
            let mut left = bits;
            while left != 0 {
                let place = left.trailing_zeros();
                left &= left - 1;
                let step = self.estimator.step(kernel, node, (place, left), batches);
                self.take(kernel, subtree, block + place as usize, step, &mut count)?;
            }
        }
        self.counts.expanded += 1;
        self.counts.add(&count);
        let expanded = LevelCount {
            expanded: 1,
            ..LevelCount::default()
        };
        if self.task.count_depths {
            add_from(self.levels, path.len(), &[expanded, count]);
        }
        Ok(())
    }

    /// Keep the child by the rule at a place of the node's list, if it is within the bound.
    #[inline(always)]
    fn take<K: Kernel<R>>(
        &mut self,
        kernel: K,
        Subtree { start, path }: &Subtree<R, E::Kept>,
        place: usize,
        step: Step<R, E::Kept>,
        count: &mut LevelCount,
    ) -> Result<(), NoPly> {
        let is_count = self.task.wanted == Wanted::Count;
        let (total, packed, kept) = match step {
            Step::Within(total, packed, kept) => (total, packed, kept),
            Step::Beyond(total) => {
                self.beyond.beyond(total);
                count.beyond_bound += 1;
                count.generated -= u64::from(is_count);
                return Ok(());
            }
            Step::DeadEnd => return Ok(()),
            Step::Overflow => {
                *self.overflow = true;
                count.beyond_bound += u64::from(is_count);
                count.generated -= u64::from(is_count);
                return Ok(());
            }
        };
        let plan = self.plan;
        if !is_count && is_goal(plan, kernel, &packed) {
            return Err(NoPly);
        }
        let plan_state = plan.plan_state(start.plan_state);
        let rule = plan.rules(plan_state.list)[place];
        let lesson = self.learner.map_or_else(Lesson::default, |learner| {
            learner.child(&start.lesson, rule, total)
        });
        let mut path = path.clone();
        path.push(rule);
        self.children.push(Subtree {
            start: CostStart {
                siblings: None,
                packed,
                kept,
                plan_state: plan.next(plan_state, place),
                total,
                parent: self.task.prunes_parents().then_some(start.packed),
                lesson,
            },
            path,
        });
        Ok(())
    }
}
