//! The walk for all that the fast walks leave out, by a plan.
//!
//! It is the [engine](crate::interpreter::engine) with rows in registers and the applicable rules
//! of a context at hand. It makes the same nodes in the same order, and compares children with
//! their whole path if that is wanted, keeps counts by depth whatever the bound, and may go on
//! after a solution for a better one. What it lacks against [`depth_walk`](crate::walk::depth) and
//! [`cost_walk`](crate::walk::cost) are batches, tails and lanes: it visits each node.

use bytemuck::bytes_of;

use crate::kernel::{HasKernels, Instructions, Job, Kernel};
use crate::plan::{ContextId, Plan};
use crate::run::limits::{StopReason, Watch};
use crate::run::options::CycleDetection;
use crate::run::report::LevelCount;
use crate::walk::cycles::PathTable;
use crate::walk::evaluator::{Estimator, Step};
use crate::walk::outcome::{Beyond, End, Visit};
use crate::walk::steps::{Fuel, children, forbidden, is_goal};
use crate::walk::threshold::Frontier;

/// What a search does with the nodes of a planned walk. See [`crate::interpreter::engine::Task`].
pub(crate) trait PlannedTask<R: HasKernels> {
    /// What is kept for each node of the path.
    type Mark: Copy;

    /// Visit the root.
    fn root<K: Kernel<R>>(&mut self, kernel: K, plan: &Plan<R>, row: &R) -> Visit<Self::Mark>;

    /// Visit a child.
    fn child<K: Kernel<R>>(
        &mut self,
        kernel: K,
        plan: &Plan<R>,
        child: &Child<'_, R, Self::Mark>,
    ) -> Visit<Self::Mark>;
}

/// A child that is visited.
pub(crate) struct Child<'c, R, M> {
    depth: usize,
    row: &'c R,
    parent: &'c R,
    mark: &'c M,
    /// The place of the change that made it, in the plan's lists.
    change: usize,
}

/// A node of the path that is being expanded.
#[derive(Clone, Copy, Debug)]
struct Frame<R, M> {
    row: R,
    mark: M,
    /// Which rules of the block are applicable and still to be tried.
    bits: u64,
    /// The place in the context's list of the 64 rules that `bits` is about.
    block: u32,
    /// The place in the list of the rule tried last.
    current: u32,
    context: ContextId,
}

/// The settings of a walk.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Manner {
    pub(crate) instructions: Instructions,
    pub(crate) cycles: CycleDetection,
    /// Whether children that the machine forbids are counted.
    pub(crate) count_forbidden: bool,
}

/// The walk, with its stack. Used again for each iteration of a search.
pub(crate) struct PlannedEngine<'p, R, M> {
    plan: &'p Plan<R>,
    manner: Manner,
    path: PathTable,
    stack: Vec<Frame<R, M>>,
    levels: Vec<LevelCount>,
    best: Option<Vec<u32>>,
}

/// The hash of a row: 16 bytes at a time are multiplied, and the halves of the product added up.
#[inline(always)]
fn hash<R: HasKernels>(row: &R) -> u64 {
    let word = |bytes: &[u8]| {
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        u64::from_ne_bytes(word)
    };
    bytes_of(row).chunks(16).fold(0, |hash, bytes| {
        let (low, high) = bytes.split_at(8);
        let low = word(low) ^ 0x9E37_79B9_7F4A_7C15 ^ hash;
        let high = word(high) ^ 0xBF58_476D_1CE4_E5B9;
        let product = u128::from(low) * u128::from(high);
        (product as u64) ^ (product >> 64) as u64
    })
}

impl<'p, R: HasKernels, M: Copy> PlannedEngine<'p, R, M> {
    pub(crate) fn new(plan: &'p Plan<R>, manner: Manner) -> Self {
        Self {
            plan,
            manner,
            path: PathTable::default(),
            stack: Vec::new(),
            levels: Vec::new(),
            best: None,
        }
    }

    /// The counts of the last walk by depth. Levels at the end may be empty.
    pub(crate) fn levels(&self) -> &[LevelCount] {
        &self.levels
    }

    /// Take out the way to the best goal that the last walk went past.
    pub(crate) fn take_best(&mut self) -> Option<Vec<u32>> {
        self.best.take()
    }

    /// Walk the tree below a root.
    pub(crate) fn walk<T: PlannedTask<R, Mark = M>>(
        &mut self,
        root: &R,
        task: &mut T,
        watch: &mut Watch<'_, '_>,
    ) -> End {
        self.stack.clear();
        self.path.clear();
        self.best = None;
        self.levels.clear();
        self.levels.resize(1, LevelCount::default());
        let job = WalkJob {
            engine: self,
            root,
            task,
            watch,
        };
        match R::with_kernel(job.engine.manner.instructions, job) {
            Ok(false) => End::Exhausted,
            Ok(true) => End::Goal(self.rules_on_path()),
            Err(reason) => End::Stopped(reason),
        }
    }

    /// The rules on the way to the child tried last.
    fn rules_on_path(&self) -> Vec<u32> {
        let rule = |frame: &Frame<R, M>| {
            let list = self.plan.context(frame.context).list;
            self.plan.lists.rules(list)[frame.current as usize]
        };
        self.stack.iter().map(rule).collect()
    }

    /// Begin to expand a node, the next one on the stack.
    #[inline(always)]
    fn push<K: Kernel<R>>(
        &mut self,
        kernel: K,
        row: R,
        mark: M,
        context: ContextId,
        watch: &Watch<'_, '_>,
    ) -> Result<(), StopReason> {
        let depth = self.stack.len();
        if depth == self.stack.capacity() || self.levels.len() < depth + 2 {
            self.grow(watch.memory())?;
        }
        self.levels[depth].expanded += 1;
        if self.manner.count_forbidden {
            let context = self.plan.context(context);
            self.levels[depth + 1].pruned_by_machine += forbidden(self.plan, kernel, &row, context);
        }
        self.stack.push(Frame {
            row,
            mark,
            bits: 0,
            block: 0,
            current: 0,
            context,
        });
        self.load_block(kernel, depth);
        if self.manner.cycles == CycleDetection::Path {
            let stack = &self.stack;
            self.path.enter(depth, |depth| hash(&stack[depth].row));
        }
        Ok(())
    }

    /// Find out which rules of the current block apply in the frame at a depth.
    #[inline(always)]
    fn load_block<K: Kernel<R>>(&mut self, kernel: K, depth: usize) {
        let parent = match depth.checked_sub(1) {
            Some(above) if self.manner.cycles == CycleDetection::Parent => {
                Some(self.stack[above].row)
            }
            _ => None,
        };
        let frame = &mut self.stack[depth];
        let context = self.plan.context(frame.context);
        let block = frame.block as usize;
        let (bits, back) = children(
            self.plan,
            kernel,
            &frame.row,
            parent.as_ref(),
            context,
            block,
        );
        self.levels[depth + 1].pruned_by_cycle += u64::from(back.count_ones());
        frame.bits = bits;
    }

    /// Make room for one more frame.
    #[cold]
    fn grow(&mut self, memory: usize) -> Result<(), StopReason> {
        let by_path = match self.manner.cycles {
            CycleDetection::Path => PathTable::BYTES_PER_LEVEL,
            CycleDetection::None | CycleDetection::Parent => 0,
        };
        let bytes_per_level = size_of::<Frame<R, M>>() + size_of::<LevelCount>() + by_path;
        let affordable = (memory / bytes_per_level).min(u32::MAX as usize - 1);
        let needed = self.stack.len() + 2;
        if needed > affordable {
            return Err(StopReason::Memory);
        }
        let n_levels = needed.max(self.stack.len() * 2).max(64).min(affordable);
        let no_memory = |_| StopReason::Memory;
        self.stack
            .try_reserve_exact(n_levels - self.stack.len())
            .map_err(no_memory)?;
        let more_levels = n_levels.saturating_sub(self.levels.len());
        self.levels
            .try_reserve_exact(more_levels)
            .map_err(no_memory)?;
        self.levels
            .resize(self.levels.len() + more_levels, LevelCount::default());
        Ok(())
    }
}

struct WalkJob<'w, 'p, 's, 't, R, M, T> {
    engine: &'w mut PlannedEngine<'p, R, M>,
    root: &'w R,
    task: &'w mut T,
    watch: &'w mut Watch<'s, 't>,
}

impl<R: HasKernels, M: Copy, T: PlannedTask<R, Mark = M>> Job<R>
    for WalkJob<'_, '_, '_, '_, R, M, T>
{
    /// Whether the walk ended at a goal: the last child of the last frame, or the root.
    type Output = Result<bool, StopReason>;

    #[inline(always)]
    fn run<K: Kernel<R>>(self, kernel: K) -> Self::Output {
        let Self {
            engine,
            root,
            task,
            watch,
        } = self;
        let plan = engine.plan;
        let by_path = engine.manner.cycles == CycleDetection::Path;
        let (firsts, seconds) = plan.lists.changes();
        engine.levels[0].generated = 1;
        match task.root(kernel, plan, root) {
            Visit::Enter(mark) => engine.push(kernel, *root, mark, Plan::<R>::ROOT, watch)?,
            Visit::Leaf | Visit::CutOff | Visit::Beyond => return Ok(false),
            Visit::Goal | Visit::Better => return Ok(true),
        }
        let mut fuel = Fuel::new(watch)?;
        let end = 'walk: loop {
            let Some(depth) = engine.stack.len().checked_sub(1) else {
                break Ok(false);
            };
            let (path, last) = engine.stack.split_at_mut(depth);
            let frame = &mut last[0];
            let context = plan.context(frame.context);
            let mut count = LevelCount::default();
            let mut bits = frame.bits;
            // The next child that is to be expanded.
            let entered = loop {
                if bits == 0 {
                    break None;
                }
                if fuel.left == 0 {
                    let reason = match fuel.has(1, watch) {
                        Ok(true) => None,
                        Ok(false) => Some(StopReason::Nodes),
                        Err(reason) => Some(reason),
                    };
                    if let Some(reason) = reason {
                        engine.levels[depth + 1].add(&count);
                        break 'walk Err(reason);
                    }
                }
                let place = frame.block + bits.trailing_zeros();
                bits &= bits - 1;
                let change = (context.changes + place) as usize;
                let row = kernel.change(&frame.row, &firsts[change], &seconds[change]);
                let is_on_path = |depth: usize| match path.get(depth) {
                    Some(above) => above.row == row,
                    None => frame.row == row,
                };
                if by_path && engine.path.contains(hash(&row), is_on_path) {
                    count.pruned_by_cycle += 1;
                    continue;
                }
                frame.current = place;
                let child = Child {
                    depth: depth + 1,
                    row: &row,
                    parent: &frame.row,
                    mark: &frame.mark,
                    change,
                };
                match task.child(kernel, plan, &child) {
                    Visit::Enter(mark) => {
                        count.generated += 1;
                        fuel.left -= 1;
                        break Some((row, mark, plan.next(context, place as usize)));
                    }
                    Visit::Leaf => count.generated += 1,
                    Visit::CutOff => {
                        count.generated += 1;
                        count.beyond_bound += 1;
                    }
                    Visit::Beyond => {
                        count.beyond_bound += 1;
                        continue;
                    }
                    visit @ (Visit::Goal | Visit::Better) => {
                        count.generated += 1;
                        fuel.left -= 1;
                        let is_end = matches!(visit, Visit::Goal);
                        frame.bits = bits;
                        engine.levels[depth + 1].add(&count);
                        if is_end {
                            break 'walk Ok(true);
                        }
                        engine.best = Some(engine.rules_on_path());
                        continue 'walk;
                    }
                }
                fuel.left -= 1;
            };
            frame.bits = bits;
            let next_block = frame.block + 64;
            engine.levels[depth + 1].add(&count);
            match entered {
                Some((row, mark, context)) => {
                    if let Err(reason) = engine.push(kernel, row, mark, context, watch) {
                        break Err(reason);
                    }
                }
                None if next_block < context.n => {
                    frame.block = next_block;
                    engine.load_block(kernel, depth);
                }
                None => {
                    if by_path {
                        engine.path.leave(depth, hash(&frame.row));
                    }
                    engine.stack.pop();
                }
            }
        };
        fuel.finish(watch);
        end
    }
}

/// What is done about goals by a walk down to a depth.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ToDepth {
    pub(crate) depth: u64,
    /// Whether a goal ends the walk. Those of the deepest ply are counted otherwise.
    pub(crate) find: bool,
    /// Goals of the deepest ply, if they are counted.
    pub(crate) goals: u64,
}

impl ToDepth {
    #[inline(always)]
    fn visit<R: HasKernels, K: Kernel<R>>(
        &mut self,
        kernel: K,
        plan: &Plan<R>,
        row: &R,
        depth: u64,
    ) -> Visit<()> {
        let is_last = depth == self.depth;
        if (is_last || self.find) && is_goal(plan, kernel, row) {
            if self.find {
                return Visit::Goal;
            }
            self.goals += 1;
        }
        if is_last {
            Visit::Leaf
        } else {
            Visit::Enter(())
        }
    }
}

impl<R: HasKernels> PlannedTask<R> for ToDepth {
    type Mark = ();

    #[inline(always)]
    fn root<K: Kernel<R>>(&mut self, kernel: K, plan: &Plan<R>, row: &R) -> Visit<()> {
        self.visit(kernel, plan, row, 0)
    }

    #[inline(always)]
    fn child<K: Kernel<R>>(
        &mut self,
        kernel: K,
        plan: &Plan<R>,
        child: &Child<'_, R, ()>,
    ) -> Visit<()> {
        self.visit(kernel, plan, child.row, child.depth as u64)
    }
}

/// What a walk within a bound by cost does about goals and about what is beyond.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Aim {
    /// Nothing: nodes within the bound are counted.
    Count,
    /// The first goal ends the walk.
    First,
    /// Each goal lowers the bound below its own cost: the last one found costs least.
    Best,
}

/// A walk within a bound on the estimated total cost.
pub(crate) struct ToCost<'e, E> {
    pub(crate) estimator: &'e E,
    pub(crate) bound: u64,
    pub(crate) aim: Aim,
    pub(crate) frontier: Frontier,
    /// Whether a path was left out because its cost doesn't fit in 64 bits.
    pub(crate) overflow: bool,
}

impl<E> ToCost<'_, E> {
    /// A goal with this estimated total cost.
    #[inline(always)]
    fn goal<M>(&mut self, total: u64) -> Visit<M> {
        match total.checked_sub(1) {
            Some(below) if self.aim == Aim::Best => {
                self.bound = below;
                Visit::Better
            }
            // Nothing costs less than nothing.
            _ => Visit::Goal,
        }
    }
}

impl<R: HasKernels, E: Estimator<R>> PlannedTask<R> for ToCost<'_, E> {
    type Mark = E::Kept;

    #[inline(always)]
    fn root<K: Kernel<R>>(&mut self, kernel: K, plan: &Plan<R>, row: &R) -> Visit<E::Kept> {
        match self.estimator.root(row) {
            None => Visit::Leaf,
            Some((total, _)) if total > self.bound => {
                self.frontier.beyond(total);
                Visit::CutOff
            }
            Some(_) if self.aim != Aim::Count && is_goal(plan, kernel, row) => Visit::Goal,
            Some((_, kept)) => Visit::Enter(kept),
        }
    }

    #[inline(always)]
    fn child<K: Kernel<R>>(
        &mut self,
        kernel: K,
        plan: &Plan<R>,
        child: &Child<'_, R, E::Kept>,
    ) -> Visit<E::Kept> {
        let (firsts, seconds) = plan.lists.changes();
        let step = self.estimator.step(
            kernel,
            (&firsts[child.change], &seconds[child.change]),
            child.parent,
            child.mark,
            child.change,
            self.bound,
        );
        match step {
            Step::Within(total, row, kept) => {
                if self.aim != Aim::Count && is_goal(plan, kernel, &row) {
                    self.goal(total)
                } else {
                    Visit::Enter(kept)
                }
            }
            Step::Beyond(_) | Step::Overflow if self.aim == Aim::Count => Visit::Beyond,
            Step::Beyond(total) => {
                self.frontier.beyond(total);
                Visit::CutOff
            }
            Step::Overflow => {
                self.overflow = true;
                Visit::Leaf
            }
            Step::DeadEnd => Visit::Leaf,
        }
    }
}
