//! Walking a tree down to a depth, by a plan.
//!
//! This is the fast way for all searches that are bounded by a number of moves. It makes the same
//! nodes in the same order as the [engine](crate::interpreter::engine) for any game; but it has the
//! applicable rules of a context at hand, makes the deepest ply in batches, and the last few plies
//! under many contexts at once (see [`crate::plan`]).

use crate::kernel::{HasKernels, Instructions, Job, Kernel};
use crate::plan::{Context, ContextId, Plan, Tails};
use crate::run::limits::{StopReason, Watch};
use crate::run::report::LevelCount;
use crate::walk::leaves::by_sets::SetPlies;
use crate::walk::leaves::unconditional::{MAX_NODES, OpenCounts, OpenPlies, at_once, count_goals};
use crate::walk::outcome::End;
use crate::walk::steps::{Fuel, children, forbidden, is_goal};

/// What a walk does about goals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Goals {
    /// Those of the deepest ply are counted.
    Count,
    /// The first one ends the walk, in whatever ply it is.
    FindInAllPlies,
    /// The first one of the deepest ply ends the walk. There are none in the other plies.
    FindInLastPly,
}

/// What the walk is to do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DepthTask {
    /// The depth of the deepest ply.
    pub(crate) depth: u64,
    pub(crate) goals: Goals,
    /// Whether children that equal their grandparent are left out.
    pub(crate) parent_pruning: bool,
    /// Whether children that the machine forbids are counted.
    pub(crate) count_forbidden: bool,
}

/// A node that is about to be visited.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node<R> {
    pub(crate) row: R,
    pub(crate) context: ContextId,
    pub(crate) depth: usize,
    /// The state before the last rule, for parent pruning; none at the root.
    pub(crate) parent: Option<R>,
}

impl<R> Node<R> {
    /// The root of a tree.
    pub(crate) fn root(row: R) -> Self {
        Self {
            row,
            context: Plan::<R>::ROOT,
            depth: 0,
            parent: None,
        }
    }
}

/// A node of the path that is being expanded.
#[derive(Clone, Copy, Debug)]
struct Frame<R> {
    row: R,
    context: Context,
    /// The place in the list of the 64 rules that `bits` is about.
    block: u32,
    /// Which of them are applicable and still to be tried.
    bits: u64,
    /// The place in the list of the rule tried last.
    current: u32,
}

/// Walks trees; used again for each iteration of a search.
pub(crate) struct DepthWalk<'p, R> {
    plan: &'p Plan<R>,
    tails: &'p Tails<R>,
    stack: Vec<Frame<R>>,
    levels: Vec<LevelCount>,
    /// How often each tail was run.
    runs: Vec<u64>,
    goals: u64,
}

impl<'p, R: HasKernels> DepthWalk<'p, R> {
    pub(crate) fn new(plan: &'p Plan<R>, tails: &'p Tails<R>) -> Self {
        Self {
            plan,
            tails,
            stack: Vec::new(),
            levels: Vec::new(),
            runs: vec![0; tails.len()],
            goals: 0,
        }
    }

    /// The tails that it uses.
    pub(crate) fn tails(&self) -> &'p Tails<R> {
        self.tails
    }

    /// The counts of the last walk by depth.
    pub(crate) fn levels(&self) -> &[LevelCount] {
        &self.levels
    }

    /// The goals in the deepest ply of the last walk.
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
            Ok(true) => End::Goal(self.path()),
            Err(reason) => End::Stopped(reason),
        }
    }

    fn reset(&mut self, depth: usize) {
        self.stack.clear();
        self.levels.clear();
        self.levels.resize(depth + 1, LevelCount::default());
        self.levels[depth].generated = 1;
        self.runs.fill(0);
        self.goals = 0;
    }

    /// The rules on the path to the last child.
    fn path(&self) -> Vec<u32> {
        let rule =
            |frame: &Frame<R>| self.plan.lists.rules(frame.context.list)[frame.current as usize];
        self.stack.iter().map(rule).collect()
    }

    /// Add to the counts what was made in tails.
    fn add_runs(&mut self, task: &DepthTask) {
        for (number, runs) in self.runs.iter().enumerate() {
            if *runs == 0 {
                continue;
            }
            let tail = self.tails.get(number as u32);
            let n_plies = tail.nodes.len();
            let top = task.depth as usize - n_plies;
            if self.levels.len() < top + n_plies + 1 {
                self.levels.resize(top + n_plies + 1, LevelCount::default());
            }
            self.levels[top].expanded += runs;
            for ply in 0..n_plies {
                let level = &mut self.levels[top + ply + 1];
                level.generated += runs * tail.nodes[ply];
                level.pruned_by_machine += runs * tail.forbidden[ply];
                if ply + 1 < n_plies {
                    level.expanded += runs * tail.nodes[ply];
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
    /// The walk itself. `Ok(true)` when it ended at a goal, which is the last child of the last
    /// frame.
    #[inline(always)]
    fn run<K: Kernel<R>>(
        &mut self,
        kernel: K,
        start: &Node<R>,
        task: &DepthTask,
        watch: &mut Watch<'_, '_>,
    ) -> Result<bool, StopReason> {
        let mut fuel = Fuel::new(watch)?;
        // One child at a time, so that the walk ends at the very node that it has to end at.
        let mut careful = false;
        let mut node = *start;
        loop {
            let descend = 'visit: {
                let left = task.depth - node.depth as u64;
                if left == 0 {
                    break 'visit false;
                }
                if !careful
                    && !task.parent_pruning
                    && left > 1
                    && left <= self.tails.max_plies() as u64
                    && let Some(number) = self.tails.find(left as usize, node.context)
                {
                    let tail = self.tails.get(number);
                    if fuel.has(tail.n_nodes, watch)? {
                        let (first, second, n) = self.tails.changes(tail);
                        let hits = count_goals(self.plan, kernel, &node.row, first, second, n);
                        let is_over = task.goals != Goals::Count
                            && (hits > 0 || self.goal_above(kernel, &node, left as usize, task));
                        if !is_over {
                            self.goals += hits;
                            self.runs[number as usize] += 1;
                            fuel.left -= tail.n_nodes;
                            break 'visit false;
                        }
                    }
                    careful = true;
                }
                // Make several plies at once.
                if !careful && task.goals != Goals::FindInAllPlies {
                    let context = self.plan.context(node.context);
                    let (plies, at_most) = at_once(self.plan, context, left);
                    // Where there are tails, they are better for as many plies as they have.
                    let max_plies = self.tails.max_plies() as u64;
                    let is_open = !task.parent_pruning
                        && context.open_plies > 0
                        && (left <= max_plies || max_plies == 1);
                    if is_open && plies as u64 == left {
                        if fuel.has(at_most, watch)?
                            && let Some(made) = self.open_plies(kernel, &node, context, plies, task)
                        {
                            fuel.left -= made;
                            break 'visit false;
                        }
                        careful = true;
                    } else if let Some((plies, at_most)) = self.by_sets(task, context, left) {
                        if fuel.has(at_most, watch)?
                            && let Some(made) = self.set_plies(kernel, &node, plies, task)
                        {
                            fuel.left -= made;
                            break 'visit false;
                        }
                        careful = true;
                    } else if left <= 2 {
                        let n = u64::from(context.n);
                        let at_most = n * (1 + (left - 1) * self.plan.lists.longest());
                        if fuel.has(at_most, watch)?
                            && let Some(made) = self.last_plies(kernel, &node, left == 2, task)
                        {
                            fuel.left -= made;
                            break 'visit false;
                        }
                        careful = true;
                    }
                } else if !careful && left <= 2 {
                    let n = u64::from(self.plan.context(node.context).n);
                    let at_most = n * (1 + (left - 1) * self.plan.lists.longest());
                    if fuel.has(at_most, watch)?
                        && !self.goal_above(kernel, &node, left as usize, task)
                        && let Some(made) = self.last_plies(kernel, &node, left == 2, task)
                    {
                        fuel.left -= made;
                        break 'visit false;
                    }
                    careful = true;
                }
                true
            };
            if descend {
                self.push(kernel, &node, task, watch)?;
            }
            // The next child of the deepest node that has one.
            node = loop {
                let Some(depth) = self.stack.len().checked_sub(1) else {
                    fuel.finish(watch);
                    return Ok(false);
                };
                let frame = &mut self.stack[depth];
                if frame.bits == 0 {
                    let block = frame.block + 64;
                    if block >= frame.context.n {
                        self.stack.pop();
                        continue;
                    }
                    frame.block = block;
                    self.load_block(kernel, start, task, depth);
                    continue;
                }
                if fuel.left == 0 && !fuel.has(1, watch)? {
                    return Err(StopReason::Nodes);
                }
                fuel.left -= 1;
                let place = frame.block + frame.bits.trailing_zeros();
                frame.bits &= frame.bits - 1;
                frame.current = place;
                let (first, second) = self.plan.lists.changes();
                let change = (frame.context.changes + place) as usize;
                let row = kernel.change(&frame.row, &first[change], &second[change]);
                let child = Node {
                    row,
                    context: self.plan.next(frame.context, place as usize),
                    depth: start.depth + depth + 1,
                    parent: task.parent_pruning.then_some(frame.row),
                };
                self.levels[child.depth].generated += 1;
                let is_last = child.depth as u64 == task.depth;
                if (is_last || task.goals == Goals::FindInAllPlies)
                    && is_goal(self.plan, kernel, &row)
                {
                    if task.goals != Goals::Count {
                        fuel.finish(watch);
                        return Ok(true);
                    }
                    self.goals += 1;
                }
                break child;
            };
        }
    }

    /// Whether one of the `left` plies below a node, the last one not included, has a goal that
    /// ends the walk. A walk that finds goals in all plies asks before it makes them at once: ply
    /// by ply, which takes little time beside the last one.
    #[inline(always)]
    fn goal_above<K: Kernel<R>>(
        &self,
        kernel: K,
        node: &Node<R>,
        left: usize,
        task: &DepthTask,
    ) -> bool {
        if task.goals != Goals::FindInAllPlies {
            return false;
        }
        // A loop, since what stands in a closure isn't compiled for the kernel's instructions.
        for plies in 1..left {
            let tail = if plies > 1 {
                // What has a tail of some plies has one of fewer.
                self.tails.find(plies, node.context)
            } else {
                None
            };
            let hits = match tail {
                Some(number) => {
                    let (first, second, n) = self.tails.changes(self.tails.get(number));
                    count_goals(self.plan, kernel, &node.row, first, second, n)
                }
                None if plies > 2 => return true,
                None => {
                    let (_, last) = kernel.call(LastPlies {
                        plan: self.plan,
                        node,
                        two: plies == 2,
                        task,
                    });
                    last.hits
                }
            };
            if hits > 0 {
                return true;
            }
        }
        false
    }

    /// Make the last ply, or the last two, below a node. `None`, and nothing done, when a node of
    /// the deepest ply is a goal that ends the walk. Gives the number of nodes otherwise.
    #[inline(always)]
    fn last_plies<K: Kernel<R>>(
        &mut self,
        kernel: K,
        node: &Node<R>,
        two: bool,
        task: &DepthTask,
    ) -> Option<u64> {
        let plan = self.plan;
        let (inner, last) = kernel.call(LastPlies {
            plan,
            node,
            two,
            task,
        });
        if last.hits > 0 {
            if task.goals != Goals::Count {
                return None;
            }
            self.goals += last.hits;
        }
        let depth = node.depth;
        if self.levels.len() < depth + 3 {
            self.levels.resize(depth + 3, LevelCount::default());
        }
        self.levels[depth].expanded += 1;
        if two {
            inner.add_to(&mut self.levels[depth + 1]);
            self.levels[depth + 1].expanded += inner.generated;
        }
        last.add_to(&mut self.levels[depth + 1 + usize::from(two)]);
        Some(inner.generated + last.generated)
    }

    /// Make the last plies below a node, all of them open. `None`, and nothing done, when a node
    /// of the deepest ply is a goal that ends the walk. Gives the number of nodes otherwise.
    #[inline(always)]
    fn open_plies<K: Kernel<R>>(
        &mut self,
        kernel: K,
        node: &Node<R>,
        context: Context,
        plies: usize,
        task: &DepthTask,
    ) -> Option<u64> {
        let mut counts = OpenCounts::default();
        kernel.call(OpenPlies {
            plan: self.plan,
            row: &node.row,
            context,
            left: plies,
            counts: &mut counts,
        });
        self.add_plies(&counts, node.depth, plies, task)
    }

    /// How many plies are left below a node, and the most nodes that they may have, if all of them
    /// can be made by sets of rules.
    #[inline(always)]
    fn by_sets(&self, task: &DepthTask, context: Context, left: u64) -> Option<(usize, u64)> {
        if !R::SETS || task.parent_pruning {
            return None;
        }
        let sets = self.plan.sets.as_ref()?;
        let (plies, at_most) = sets.at_once(context, left, MAX_NODES);
        (plies as u64 == left).then_some((plies, at_most))
    }

    /// Make the last plies below a node by sets of rules. `None`, and nothing done, when a node of
    /// the deepest ply is a goal that ends the walk. Gives the number of nodes otherwise.
    #[inline(always)]
    fn set_plies<K: Kernel<R>>(
        &mut self,
        kernel: K,
        node: &Node<R>,
        plies: usize,
        task: &DepthTask,
    ) -> Option<u64> {
        let counts = kernel.call(SetPlies {
            plan: self.plan,
            sets: self.plan.sets.as_ref()?,
            row: &node.row,
            context: node.context,
            left: plies,
            count_forbidden: task.count_forbidden,
        });
        self.add_plies(&counts, node.depth, plies, task)
    }

    /// Add what was made in the last plies below a node at a depth. Gives the number of nodes;
    /// `None`, and nothing added, when one of them is a goal that ends the walk.
    #[inline(always)]
    fn add_plies(
        &mut self,
        counts: &OpenCounts,
        depth: usize,
        plies: usize,
        task: &DepthTask,
    ) -> Option<u64> {
        if counts.hits > 0 && task.goals != Goals::Count {
            return None;
        }
        self.goals += counts.hits;
        if self.levels.len() < depth + plies + 1 {
            let n = depth + plies + 1;
            self.levels.resize(n, LevelCount::default());
        }
        let mut expanded = 1;
        for ply in 0..plies {
            let left = plies - 1 - ply;
            self.levels[depth + ply].expanded += expanded;
            let below = &mut self.levels[depth + ply + 1];
            below.generated += counts.generated[left];
            if task.count_forbidden {
                below.pruned_by_machine += counts.forbidden[left];
            }
            expanded = counts.generated[left];
        }
        Some(counts.n_nodes())
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
            self.grow(node.depth, watch.memory())?;
        }
        let context = self.plan.context(node.context);
        self.levels[node.depth].expanded += 1;
        if task.count_forbidden {
            self.levels[node.depth + 1].pruned_by_machine +=
                forbidden(self.plan, kernel, &node.row, context);
        }
        let depth = self.stack.len();
        self.stack.push(Frame {
            row: node.row,
            context,
            block: 0,
            bits: 0,
            current: 0,
        });
        self.load_block_of(kernel, node.parent.as_ref(), node.depth, depth);
        Ok(())
    }

    /// Find out which rules of the current block apply in the frame at a place of the stack.
    #[inline(always)]
    fn load_block<K: Kernel<R>>(
        &mut self,
        kernel: K,
        start: &Node<R>,
        task: &DepthTask,
        place: usize,
    ) {
        let parent = match place.checked_sub(1) {
            _ if !task.parent_pruning => None,
            Some(above) => Some(self.stack[above].row),
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
        let (bits, back) = children(self.plan, kernel, &frame.row, parent, frame.context, block);
        self.levels[depth + 1].pruned_by_cycle += u64::from(back.count_ones());
        frame.bits = bits;
    }

    /// Make room for a frame at a depth.
    #[cold]
    fn grow(&mut self, depth: usize, memory: usize) -> Result<(), StopReason> {
        let bytes_per_level = size_of::<Frame<R>>() + size_of::<LevelCount>();
        let affordable = memory / bytes_per_level;
        let needed = (depth + 2).max(self.stack.len() + 1);
        if needed > affordable {
            return Err(StopReason::Memory);
        }
        let n_levels = needed.max(self.stack.len() * 2).max(64).min(affordable);
        let no_memory = |_| StopReason::Memory;
        let more_frames = n_levels - self.stack.len();
        self.stack
            .try_reserve_exact(more_frames)
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

/// What was made in a ply.
#[derive(Clone, Copy, Default)]
struct Ply {
    generated: u64,
    cycles: u64,
    forbidden: u64,
    hits: u64,
}

impl Ply {
    #[inline(always)]
    fn add(&mut self, other: Self) {
        self.generated += other.generated;
        self.cycles += other.cycles;
        self.forbidden += other.forbidden;
        self.hits += other.hits;
    }

    #[inline(always)]
    fn add_to(&self, level: &mut LevelCount) {
        level.generated += self.generated;
        level.pruned_by_cycle += self.cycles;
        level.pruned_by_machine += self.forbidden;
    }
}

/// Makes the last ply, or the last two, below a node.
struct LastPlies<'a, R> {
    plan: &'a Plan<R>,
    node: &'a Node<R>,
    two: bool,
    task: &'a DepthTask,
}

impl<R: HasKernels> Job<R> for LastPlies<'_, R> {
    /// The counts of both plies; the first one empty when there is only one.
    type Output = (Ply, Ply);

    #[inline(always)]
    fn run<K: Kernel<R>>(self, kernel: K) -> (Ply, Ply) {
        let Self {
            plan,
            node,
            two,
            task,
        } = self;
        let context = plan.context(node.context);
        let (mut inner, mut last) = (Ply::default(), Ply::default());
        let parent = node.parent.as_ref();
        if !two {
            return (
                inner,
                last_ply(plan, kernel, &node.row, parent, context, task),
            );
        }
        if task.count_forbidden {
            inner.forbidden = forbidden(plan, kernel, &node.row, context);
        }
        let (first, second) = plan.lists.changes();
        let n = context.n as usize;
        let mut block = 0;
        while block < n {
            let (mut bits, back) = children(plan, kernel, &node.row, parent, context, block);
            let start = context.changes as usize + block;
            let (first, second) = (&first[start..], &second[start..]);
            inner.cycles += u64::from(back.count_ones());
            inner.generated += u64::from(bits.count_ones());
            while bits != 0 {
                let i = bits.trailing_zeros() as usize;
                bits &= bits - 1;
                let row = kernel.change(&node.row, &first[i], &second[i]);
                let context = plan.context(plan.next(context, block + i));
                let parent = task.parent_pruning.then_some(&node.row);
                last.add(last_ply(plan, kernel, &row, parent, context, task));
            }
            block += 64;
        }
        (inner, last)
    }
}

/// The children of a node in the last ply.
#[inline(always)]
fn last_ply<R: HasKernels, K: Kernel<R>>(
    plan: &Plan<R>,
    kernel: K,
    row: &R,
    parent: Option<&R>,
    context: Context,
    task: &DepthTask,
) -> Ply {
    let (first, second) = plan.lists.changes();
    let start = context.changes as usize;
    let (first, second) = (&first[start..], &second[start..]);
    let n = context.n as usize;
    let mut ply = Ply::default();
    if task.count_forbidden {
        ply.forbidden = forbidden(plan, kernel, row, context);
    }
    if context.always && parent.is_none() {
        ply.generated = u64::from(context.n);
        if context.may_reach_goal() {
            let (first, second) = plan.lists.lines(context.changes, n);
            ply.hits = count_goals(plan, kernel, row, first, second, n);
        }
        return ply;
    }
    let mut block = 0;
    while block < n {
        let (bits, back) = children(plan, kernel, row, parent, context, block);
        ply.cycles += u64::from(back.count_ones());
        ply.generated += u64::from(bits.count_ones());
        // Most rules don't apply, or lead to no goal: the children by the others are made one by
        // one.
        let mut may_hit = bits & plan.goal_rules(context, block);
        while may_hit != 0 {
            let i = block + may_hit.trailing_zeros() as usize;
            may_hit &= may_hit - 1;
            let child = kernel.change(row, &first[i], &second[i]);
            ply.hits += u64::from(is_goal(plan, kernel, &child));
        }
        block += 64;
    }
    ply
}
