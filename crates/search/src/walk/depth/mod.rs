//! Walking a tree down to a depth, by a plan.
//!
//! The walk makes the same nodes in the same order as the [engine](crate::interpreter::engine) for
//! any game. But it reads the applicable rules from the plan state, makes the deepest ply in
//! [`batches`], and makes the last few plies under many plan states at once (see [`crate::plan`]).
//! Where children are compared with their whole path, it makes them one by one.

mod batches;

use crate::kernel::{HasKernels, Instructions, Job, Kernel};
use crate::plan::{LeafMacros, Plan, PlanState, PlanStateId};
use crate::run::limits::{StopReason, Watch};
use crate::run::options::CycleDetection;
use crate::run::report::LevelCount;
use crate::walk::cycles::{PathTable, hash};
use crate::walk::outcome::End;
use crate::walk::stack;
use crate::walk::steps::{NodeAllowance, children, forbidden, is_goal};

/// How a walk treats goals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Goals {
    /// Goals of the deepest ply are counted.
    Count,
    /// The first goal ends the walk, in whatever ply it is.
    FindInAllPlies,
    /// The first goal of the deepest ply ends the walk. The other plies have no goals.
    FindInLastPly,
}

/// The task of a walk.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DepthTask {
    /// The depth of the deepest ply.
    pub(crate) depth: u64,
    pub(crate) goals: Goals,
    /// Which children are left out because their state is on their path.
    pub(crate) cycles: CycleDetection,
    /// Whether children that the machine forbids are counted.
    pub(crate) count_forbidden: bool,
}

impl DepthTask {
    /// Return whether children that equal their grandparent are left out.
    #[inline(always)]
    pub(crate) fn prunes_parents(&self) -> bool {
        self.cycles == CycleDetection::Parent
    }
}

/// A node that is about to be visited.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node<R> {
    pub(crate) packed: R,
    pub(crate) plan_state: PlanStateId,
    pub(crate) depth: usize,
    /// The state before the last rule, for parent pruning; none at the root.
    pub(crate) parent: Option<R>,
}

impl<R> Node<R> {
    /// Make the root of a tree.
    pub(crate) fn root(packed: R) -> Self {
        Self {
            packed,
            plan_state: Plan::<R>::ROOT,
            depth: 0,
            parent: None,
        }
    }
}

/// A node of the path that is being expanded.
#[derive(Clone, Copy, Debug)]
struct Frame<R> {
    packed: R,
    plan_state: PlanState,
    /// The place in the list of the 64 rules that `bits` is about.
    block: u32,
    /// The rules of the block that are applicable and still to be tried.
    bits: u64,
    /// The place in the list of the rule tried last.
    current: u32,
}

/// Walks trees; reused for each iteration of a search.
pub(crate) struct DepthWalk<'p, R> {
    plan: &'p Plan<R>,
    leaf_macros: &'p LeafMacros<R>,
    stack: Vec<Frame<R>>,
    /// The states of the path, if children are compared with all of them.
    path: PathTable,
    levels: Vec<LevelCount>,
    /// How often each macro list was run.
    runs: Vec<u64>,
    goals: u64,
}

impl<'p, R: HasKernels> DepthWalk<'p, R> {
    pub(crate) fn new(plan: &'p Plan<R>, leaf_macros: &'p LeafMacros<R>) -> Self {
        Self {
            plan,
            leaf_macros,
            stack: Vec::new(),
            path: PathTable::default(),
            levels: Vec::new(),
            runs: vec![0; leaf_macros.len()],
            goals: 0,
        }
    }

    /// Return the macro lists that it uses.
    pub(crate) fn leaf_macros(&self) -> &'p LeafMacros<R> {
        self.leaf_macros
    }

    /// Return the counts of the last walk by depth.
    pub(crate) fn levels(&self) -> &[LevelCount] {
        &self.levels
    }

    /// Return the number of goals in the deepest ply of the last walk.
    pub(crate) fn goals(&self) -> u64 {
        self.goals
    }

    /// Walk the tree below a node. The node itself is not tested for the goal.
    pub(crate) fn walk(
        &mut self,
        instructions: Instructions,
        start: &Node<R>,
        task: &DepthTask,
        watch: &mut Watch<'_, '_>,
    ) -> End {
        self.reset(start.depth);
        let end = R::with_kernel(
            instructions,
            WalkJob {
                walk: self,
                start,
                task,
                watch,
            },
        );
        self.add_runs(task);
        match end {
            Ok(false) => End::Exhausted,
            Ok(true) => End::Goal(self.rules_on_path()),
            Err(reason) => End::Stopped(reason),
        }
    }

    fn reset(&mut self, depth: usize) {
        self.stack.clear();
        self.path.clear();
        self.levels.clear();
        self.levels.resize(depth + 1, LevelCount::default());
        self.levels[depth].generated = 1;
        self.runs.fill(0);
        self.goals = 0;
    }

    /// Return the rules on the path to the last child.
    fn rules_on_path(&self) -> Vec<u32> {
        let rule =
            |frame: &Frame<R>| self.plan.rules(frame.plan_state.list)[frame.current as usize];
        self.stack.iter().map(rule).collect()
    }

    /// Add the nodes made by macro lists to the counts.
    fn add_runs(&mut self, task: &DepthTask) {
        for (number, runs) in self.runs.iter().enumerate() {
            if *runs == 0 {
                continue;
            }
            let macro_list = self.leaf_macros.get(number as u32);
            let n_plies = macro_list.nodes.len();
            let top = task.depth as usize - n_plies;
            if self.levels.len() < top + n_plies + 1 {
                self.levels.resize(top + n_plies + 1, LevelCount::default());
            }
            self.levels[top].expanded += runs;
            for ply in 0..n_plies {
                let level = &mut self.levels[top + ply + 1];
                level.generated += runs * macro_list.nodes[ply];
                level.pruned_by_machine += runs * macro_list.forbidden[ply];
                if ply + 1 < n_plies {
                    level.expanded += runs * macro_list.nodes[ply];
                }
            }
        }
    }
}

struct WalkJob<'w, 'p, 'n, 's, 't, R> {
    walk: &'w mut DepthWalk<'p, R>,
    start: &'n Node<R>,
    task: &'n DepthTask,
    watch: &'w mut Watch<'s, 't>,
}

impl<R: HasKernels> Job<R> for WalkJob<'_, '_, '_, '_, '_, R> {
    type Output = Result<bool, StopReason>;

    #[inline(always)]
    fn run<K: Kernel<R>>(self, kernel: K) -> Self::Output {
        self.walk.run(kernel, self.start, self.task, self.watch)
    }
}

impl<R: HasKernels> DepthWalk<'_, R> {
    /// Walk the tree. Return `Ok(true)` when it ended at a goal, which is the last child of the
    /// last frame.
    #[inline(always)]
    fn run<K: Kernel<R>>(
        &mut self,
        kernel: K,
        start: &Node<R>,
        task: &DepthTask,
        watch: &mut Watch<'_, '_>,
    ) -> Result<bool, StopReason> {
        let mut allowance = NodeAllowance::new(watch)?;
        let by_path = task.cycles == CycleDetection::Path;
        // Make one child at a time, so that the walk ends exactly at the required node.
        let mut careful = by_path;
        let mut node = *start;
        loop {
            let left = task.depth - node.depth as u64;
            if left > 0
                && !self.make_at_once(
                    kernel,
                    &node,
                    left,
                    task,
                    &mut allowance,
                    &mut careful,
                    watch,
                )?
            {
                self.push(kernel, &node, task, watch)?;
            }
            // The next child of the deepest node that has one.
            node = loop {
                let Some(depth) = self.stack.len().checked_sub(1) else {
                    allowance.finish(watch);
                    return Ok(false);
                };
                let frame = &mut self.stack[depth];
                if frame.bits == 0 {
                    let block = frame.block + 64;
                    if block >= frame.plan_state.n {
                        if by_path {
                            self.path.leave(depth, hash(&frame.packed));
                        }
                        self.stack.pop();
                        continue;
                    }
                    frame.block = block;
                    self.load_block(kernel, start, task, depth);
                    continue;
                }
                if allowance.left == 0 && !allowance.has(1, watch)? {
                    return Err(StopReason::Nodes);
                }
                let place = frame.block + frame.bits.trailing_zeros();
                frame.bits &= frame.bits - 1;
                frame.current = place;
                let (first, second) = self.plan.lists.changes();
                let change = (frame.plan_state.changes + place) as usize;
                let packed = kernel.change(&frame.packed, &first[change], &second[change]);
                if by_path {
                    let stack = &self.stack;
                    if self
                        .path
                        .contains(hash(&packed), |level| stack[level].packed == packed)
                    {
                        self.levels[start.depth + depth + 1].pruned_by_cycle += 1;
                        continue;
                    }
                }
                let frame = &self.stack[depth];
                allowance.left -= 1;
                let child = Node {
                    packed,
                    plan_state: self.plan.next(frame.plan_state, place as usize),
                    depth: start.depth + depth + 1,
                    parent: task.prunes_parents().then_some(frame.packed),
                };
                self.levels[child.depth].generated += 1;
                let is_last = child.depth as u64 == task.depth;
                if (is_last || task.goals == Goals::FindInAllPlies)
                    && is_goal(self.plan, kernel, &packed)
                {
                    if task.goals != Goals::Count {
                        allowance.finish(watch);
                        return Ok(true);
                    }
                    self.goals += 1;
                }
                break child;
            };
        }
    }

    /// Begin to expand a node.
    #[inline(always)]
    fn push<K: Kernel<R>>(
        &mut self,
        kernel: K,
        node: &Node<R>,
        task: &DepthTask,
        watch: &Watch<'_, '_>,
    ) -> Result<(), StopReason> {
        if self.stack.len() == self.stack.capacity() || self.levels.len() < node.depth + 2 {
            self.grow(node.depth, task, watch.memory())?;
        }
        let plan_state = self.plan.plan_state(node.plan_state);
        self.levels[node.depth].expanded += 1;
        if task.count_forbidden {
            self.levels[node.depth + 1].pruned_by_machine +=
                forbidden(self.plan, kernel, &node.packed, plan_state);
        }
        let depth = self.stack.len();
        self.stack.push(Frame {
            packed: node.packed,
            plan_state,
            block: 0,
            bits: 0,
            current: 0,
        });
        self.load_block_of(kernel, node.parent.as_ref(), node.depth, depth);
        if task.cycles == CycleDetection::Path {
            let stack = &self.stack;
            self.path.enter(depth, |level| hash(&stack[level].packed));
        }
        Ok(())
    }

    /// Find which rules of the current block apply in the frame at a place of the stack.
    #[inline(always)]
    fn load_block<K: Kernel<R>>(
        &mut self,
        kernel: K,
        start: &Node<R>,
        task: &DepthTask,
        place: usize,
    ) {
        let parent = match place.checked_sub(1) {
            _ if !task.prunes_parents() => None,
            Some(above) => Some(self.stack[above].packed),
            None => start.parent,
        };
        self.load_block_of(kernel, parent.as_ref(), start.depth + place, place);
    }

    #[inline(always)]
    fn load_block_of<K: Kernel<R>>(
        &mut self,
        kernel: K,
        parent: Option<&R>,
        depth: usize,
        place: usize,
    ) {
        let frame = &mut self.stack[place];
        let block = frame.block as usize;
        let (bits, back) = children(
            self.plan,
            kernel,
            &frame.packed,
            parent,
            frame.plan_state,
            block,
        );
        self.levels[depth + 1].pruned_by_cycle += u64::from(back.count_ones());
        frame.bits = bits;
    }

    /// Make room for a frame at a depth.
    #[cold]
    fn grow(&mut self, depth: usize, task: &DepthTask, memory: usize) -> Result<(), StopReason> {
        let by_path = task.cycles == CycleDetection::Path;
        let bytes_per_level =
            size_of::<Frame<R>>() + size_of::<LevelCount>() + stack::path_bytes(by_path);
        let needed = (depth + 2).max(self.stack.len() + 1);
        let n_levels = stack::n_levels(self.stack.len(), needed, bytes_per_level, memory)?;
        stack::reserve(&mut self.stack, n_levels)?;
        stack::resize(&mut self.levels, n_levels, LevelCount::default())
    }
}
