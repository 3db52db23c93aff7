//! Walking a tree within a bound on estimated total cost, by a plan.
//!
//! It makes the same nodes in the same order as the [engine](crate::interpreter::engine) for any
//! game. Children beyond the bound are only estimated, where the heuristic allows it, and not made.

use crate::kernel::{HasKernels, Instructions, Job, Kernel};
use crate::plan::{Plan, PlanStateId};
use crate::run::limits::{StopReason, Watch};
use crate::run::options::CycleDetection;
use crate::run::report::{LevelCount, Totals};
use crate::walk::cycles::{PathTable, hash};
use crate::walk::evaluator::{Estimator, Step};
use crate::walk::interleaved::{
    InterleavedCounts, InterleavedEnd, InterleavedLevel, InterleavedStart, InterleavedStreams,
    InterleavedWalk,
};
use crate::walk::outcome::{Found, Least};
use crate::walk::stack;
use crate::walk::steps::{Fuel, all_ones, children, forbidden, is_goal};
use crate::walk::threshold::Frontier;

/// What a walk does about goals and about nodes beyond the bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Aim {
    /// Nodes within the bound are counted, by depth. Goals are nodes as others; nodes beyond the
    /// bound are not generated.
    Count,
    /// The first goal ends the walk.
    First,
    /// Each goal lowers the bound below its own cost: the last one found costs least.
    Best,
}

/// What the walk is to do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CostTask {
    /// The greatest estimated total cost of a node that is expanded.
    pub(crate) bound: u64,
    pub(crate) aim: Aim,
    /// Which children are left out because they stand on their path.
    pub(crate) cycles: CycleDetection,
    /// Whether children that the machine forbids are counted.
    pub(crate) count_forbidden: bool,
    /// Whether nodes are counted by depth. There is no interleaved walk then.
    pub(crate) count_depths: bool,
}

impl CostTask {
    /// Whether children that equal their grandparent are left out.
    pub(crate) fn prunes_parents(&self) -> bool {
        self.cycles == CycleDetection::Parent
    }
}

/// A node where a walk begins: no goal, and within the bound.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CostStart<R, S> {
    pub(crate) packed: R,
    pub(crate) kept: S,
    pub(crate) plan_state: PlanStateId,
    pub(crate) total: u64,
    /// The state before the last rule, for parent pruning; none at the root.
    pub(crate) parent: Option<R>,
}

/// A node of the path. What changes while it is expanded stands in registers, and is put here when
/// the walk goes deeper.
#[derive(Clone, Copy, Debug)]
struct Level<R, S> {
    packed: R,
    kept: S,
    /// Which rules of the block are applicable and still to be tried.
    bits: u64,
    /// The place in the plan state's list of the 64 rules that `bits` is about.
    block: u32,
    /// Where their changes begin.
    changes: u32,
    /// The plan state that the node is expanded in.
    plan_state: PlanStateId,
    /// The place in the list of the rule that led deeper.
    current: u32,
    /// The number of nodes that a child counts for: 0 where an interleaved walk has counted all at
    /// once.
    count: u64,
}

/// Walks trees; used again for each iteration of a search.
pub(crate) struct CostWalk<'p, R, E: Estimator<R>> {
    plan: &'p Plan<R>,
    estimator: &'p E,
    /// The levels of the path, as many as ever were needed.
    levels: Vec<Level<R, E::Kept>>,
    /// The states of the path, where children are compared with all of them.
    path: PathTable,
    /// The memory of the interleaved walk, once there was one.
    streams: Option<InterleavedStreams<R>>,
    /// What the last walk has counted. The root is no child.
    pub(crate) counts: Totals,
    /// The same by depth below the start, if that was asked for: as many depths as ever were
    /// needed.
    pub(crate) by_depth: Vec<LevelCount>,
    /// Whether a path was left out because its cost doesn't fit in 64 bits.
    pub(crate) overflow: bool,
    /// The best solution of the last walk.
    pub(crate) found: Option<Found>,
}

impl<'p, R: HasKernels, E: Estimator<R>> CostWalk<'p, R, E> {
    pub(crate) fn new(plan: &'p Plan<R>, estimator: &'p E) -> Self {
        Self {
            plan,
            estimator,
            levels: Vec::new(),
            path: PathTable::default(),
            streams: None,
            counts: Totals::default(),
            by_depth: Vec::new(),
            overflow: false,
            found: None,
        }
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
        let is_plain =
            task.aim == Aim::First && task.cycles != CycleDetection::Path && !frontier.counts();
        if is_plain {
            let job = WalkJob::<'_, '_, '_, '_, R, E, false> {
                walk: self,
                start,
                task,
                frontier,
                watch,
            };
            R::with_kernel(instructions, job)
        } else {
            let job = WalkJob::<'_, '_, '_, '_, R, E, true> {
                walk: self,
                start,
                task,
                frontier,
                watch,
            };
            R::with_kernel(instructions, job)
        }
    }
}

/// The walk, compiled twice: with all that a walk can do (`FULL`), and without whole paths, best
/// solutions, trees that are only counted, and counts of what is beyond the bound.
struct WalkJob<'w, 'p, 's, 't, R, E: Estimator<R>, const FULL: bool> {
    walk: &'w mut CostWalk<'p, R, E>,
    start: &'w CostStart<R, E::Kept>,
    task: &'w CostTask,
    frontier: &'w mut Frontier,
    watch: &'w mut Watch<'s, 't>,
}

impl<R: HasKernels, E: Estimator<R>, const FULL: bool> Job<R>
    for WalkJob<'_, '_, '_, '_, R, E, FULL>
{
    type Output = Result<(), StopReason>;

    #[inline(always)]
    fn run<K: Kernel<R>>(self, kernel: K) -> Self::Output {
        let Self {
            walk,
            start,
            task,
            frontier,
            watch,
        } = self;
        let (plan, estimator) = (walk.plan, walk.estimator);
        // These cost less as branches than as loops of their own, each of which is compiled for
        // every packed state and family of instructions.
        let (count_forbidden, count_depths) = (task.count_forbidden, task.count_depths);
        let cycles = task.cycles;
        let by_path = FULL && cycles == CycleDetection::Path;
        let aim = if FULL { task.aim } else { Aim::First };
        let counts_beyond = FULL && frontier.counts();
        let (firsts, seconds) = plan.lists.changes();
        // What changes in the loop stands by itself, where the compiler can keep it in registers.
        let mut levels = std::mem::take(&mut walk.levels);
        let mut by_depth = std::mem::take(&mut walk.by_depth);
        let mut path = std::mem::take(&mut walk.path);
        let mut least = Least::default();
        let mut overflow = false;
        let mut found = None;
        let mut not_made = 0_u64;
        let generated_before = watch.generated();
        let mut fuel = Fuel::new(watch)?;
        let mut bound = task.bound;
        let (mut expanded, mut pruned, mut n_cycles) = (0_u64, 0_u64, 0_u64);
        let mut depth = 0;
        let mut node = (start.packed, start.kept, start.plan_state, start.total);
        let is_plain = cycles == CycleDetection::None && aim == Aim::First;
        let interleaved = if R::INTERLEAVES && is_plain && !count_depths && !counts_beyond {
            estimator
                .interleaved()
                .filter(|tables| tables.serves(bound))
        } else {
            None
        };
        let mut may_interleave = true;
        let mut interleaved_counts = InterleavedCounts::default();
        let end = 'walk: loop {
            let mut bits: u64;
            let mut goal_below = None;
            'expand: {
                // A whole subtree by the interleaved walk, if there is one.
                if let Some(tables) = interleaved
                    && depth > 0
                    && may_interleave
                {
                    let new_streams = || InterleavedStreams::new(tables);
                    let streams = walk.streams.get_or_insert_with(new_streams);
                    let (packed, _, plan_state, total) = node;
                    let interleaved_walk = InterleavedWalk {
                        plan,
                        tables,
                        streams,
                        start: InterleavedStart {
                            packed,
                            total,
                            plan_state,
                        },
                        bound,
                        beyond: &mut least,
                        fuel: &mut fuel,
                        watch: &mut *watch,
                        counts: &mut interleaved_counts,
                    };
                    let end = R::interleaved(kernel, interleaved_walk)
                        .expect("packed_states without lanes have no tables of lanes");
                    let path = match end {
                        Err(reason) => break 'walk Err(reason),
                        Ok(InterleavedEnd::Done) => {
                            depth -= 1;
                            bits = levels[depth].bits;
                            break 'expand;
                        }
                        Ok(InterleavedEnd::Goal { path, total }) => {
                            goal_below = Some(total);
                            path
                        }
                        Ok(InterleavedEnd::Bail { path, for_good }) => {
                            may_interleave = !for_good;
                            path
                        }
                    };
                    if let Err(reason) = take_over(&mut levels, plan, depth, &path, E::keep, watch)
                    {
                        break 'walk Err(reason);
                    }
                    depth += path.len() - 1;
                    if goal_below.is_some() {
                        bits = levels[depth].bits;
                        break 'expand;
                    }
                    let last = &path[path.len() - 1];
                    node = (
                        last.packed,
                        E::keep(last.total),
                        last.plan_state,
                        last.total,
                    );
                }
                // Begin to expand `node` at level `depth`.
                if depth == levels.len()
                    && let Err(reason) = grow(&mut levels, by_path, watch.memory())
                {
                    take_off(&mut by_depth, &levels, count_depths);
                    break 'walk Err(reason);
                }
                if count_depths
                    && by_depth.len() < depth + 2
                    && let Err(reason) =
                        stack::grow_counts(&mut by_depth, levels.len() + 1, watch.memory())
                {
                    take_off(&mut by_depth, &levels[..depth], count_depths);
                    break 'walk Err(reason);
                }
                let (packed, kept, plan_state_id, _) = node;
                let plan_state = plan.plan_state(plan_state_id);
                expanded += 1;
                let n_forbidden = if count_forbidden {
                    forbidden(plan, kernel, &packed, plan_state)
                } else {
                    0
                };
                pruned += n_forbidden;
                let (at_first, _) = children(plan, kernel, &packed, None, plan_state, 0);
                if count_depths {
                    by_depth[depth].expanded += 1;
                    let below = &mut by_depth[depth + 1];
                    below.pruned_by_machine += n_forbidden;
                    // All of them, from now on; those that are not made are taken off at the end.
                    below.generated += u64::from(at_first.count_ones());
                }
                estimator.prefetch(&kept, plan_state.changes as usize, at_first);
                levels[depth] = Level {
                    packed,
                    kept,
                    bits: at_first,
                    block: 0,
                    changes: plan_state.changes,
                    plan_state: plan_state_id,
                    current: 0,
                    count: 1,
                };
                bits = at_first;
                if by_path {
                    path.enter(depth, |depth| hash(&levels[depth].packed));
                }
            }
            // The next child within the bound, here or further up.
            loop {
                let goal = if let Some(total) = goal_below.take() {
                    Some(total)
                } else {
                    let level = &mut levels[depth];
                    if bits == 0 {
                        let plan_state = plan.plan_state(level.plan_state);
                        let block = level.block + 64;
                        if block < plan_state.n {
                            level.block = block;
                            level.changes = plan_state.changes + block;
                            let block = block as usize;
                            (bits, _) =
                                children(plan, kernel, &level.packed, None, plan_state, block);
                            estimator.prefetch(&level.kept, level.changes as usize, bits);
                            if count_depths {
                                by_depth[depth + 1].generated += u64::from(bits.count_ones());
                            }
                            continue;
                        }
                        if by_path {
                            path.leave(depth, hash(&level.packed));
                        }
                        if depth == 0 {
                            break 'walk Ok(());
                        }
                        depth -= 1;
                        bits = levels[depth].bits;
                        continue;
                    }
                    if fuel.left < level.count {
                        let reason = match fuel.has(1, watch) {
                            Ok(true) => None,
                            Ok(false) => Some(StopReason::Nodes),
                            Err(reason) => Some(reason),
                        };
                        if let Some(reason) = reason {
                            level.bits = bits;
                            take_off(&mut by_depth, &levels[..=depth], count_depths);
                            break 'walk Err(reason);
                        }
                    }
                    let place = bits.trailing_zeros();
                    bits &= bits - 1;
                    let change = (level.changes + place) as usize;
                    if cycles != CycleDetection::None {
                        let child =
                            kernel.change(&levels[depth].packed, &firsts[change], &seconds[change]);
                        let closes = if by_path {
                            path.contains(hash(&child), |depth| levels[depth].packed == child)
                        } else {
                            let parent = match depth {
                                0 => start.parent.as_ref(),
                                _ => Some(&levels[depth - 1].packed),
                            };
                            parent.is_some_and(|it| kernel.agrees(&child, &all_ones(), it))
                        };
                        if closes {
                            n_cycles += 1;
                            if count_depths {
                                by_depth[depth + 1].pruned_by_cycle += 1;
                                by_depth[depth + 1].generated -= 1;
                            }
                            continue;
                        }
                    }
                    let level = &mut levels[depth];
                    fuel.left -= level.count;
                    let step = estimator.step(
                        kernel,
                        (&firsts[change], &seconds[change]),
                        &level.packed,
                        &level.kept,
                        change,
                        bound,
                    );
                    let (total, packed, kept) = match step {
                        Step::Beyond(total) => {
                            least.beyond(total);
                            if counts_beyond {
                                frontier.count(total);
                            }
                            if count_depths {
                                by_depth[depth + 1].beyond_bound += 1;
                                if aim == Aim::Count {
                                    by_depth[depth + 1].generated -= 1;
                                    fuel.left += 1;
                                }
                            }
                            continue;
                        }
                        Step::Within(total, packed, kept) => (total, packed, kept),
                        Step::DeadEnd => continue,
                        Step::Overflow => {
                            overflow = true;
                            if aim == Aim::Count {
                                by_depth[depth + 1].beyond_bound += 1;
                                by_depth[depth + 1].generated -= 1;
                                fuel.left += 1;
                            }
                            continue;
                        }
                    };
                    level.bits = bits;
                    level.current = level.block + place;
                    if aim != Aim::Count && is_goal(plan, kernel, &packed) {
                        Some(total)
                    } else {
                        let plan_state = plan.plan_state(level.plan_state);
                        let next = plan.next(plan_state, level.current as usize);
                        node = (packed, kept, next, total);
                        None
                    }
                };
                let Some(total) = goal else {
                    depth += 1;
                    break;
                };
                let rules = levels[..=depth].iter().map(|level| {
                    let list = plan.plan_state(level.plan_state).list;
                    plan.lists.rules(list)[level.current as usize]
                });
                found = Some(Found {
                    total,
                    rules: rules.collect(),
                });
                // Nothing costs less than nothing.
                if aim == Aim::Best
                    && let Some(below) = total.checked_sub(1)
                {
                    bound = below;
                    continue;
                }
                take_off(&mut by_depth, &levels[..=depth], count_depths);
                // The children that come later were not made.
                for level in &levels[..=depth] {
                    let n = plan.plan_state(level.plan_state).n;
                    let later = u64::from(n - level.current - 1);
                    not_made += later * (1 - level.count);
                }
                break 'walk Ok(());
            }
        };
        if count_forbidden {
            pruned += interleaved_counts.forbidden;
        }
        fuel.finish(watch);
        frontier.merge(least);
        walk.levels = levels;
        walk.by_depth = by_depth;
        walk.path = path;
        walk.overflow = overflow;
        walk.found = found;
        walk.counts = Totals {
            generated: u128::from(watch.generated() - generated_before - not_made),
            expanded: u128::from(expanded + interleaved_counts.expanded),
            pruned_by_machine: u128::from(pruned),
            pruned_by_cycle: u128::from(n_cycles),
        };
        end
    }
}

/// Take the children that were not made off the counts by depth.
#[cold]
fn take_off<R, S>(by_depth: &mut [LevelCount], path: &[Level<R, S>], count_depths: bool) {
    if count_depths {
        for (level, below) in path.iter().zip(by_depth.iter_mut().skip(1)) {
            below.generated -= u64::from(level.bits.count_ones());
        }
    }
}

/// Put the path of an interleaved walk on the stack, from a depth on.
#[cold]
fn take_over<R: HasKernels, S: Copy + Default>(
    levels: &mut Vec<Level<R, S>>,
    plan: &Plan<R>,
    depth: usize,
    path: &[InterleavedLevel<R>],
    keep: fn(u64) -> S,
    watch: &Watch<'_, '_>,
) -> Result<(), StopReason> {
    while levels.len() < depth + path.len() {
        // There is no interleaved walk where children are compared with their path.
        grow(levels, false, watch.memory())?;
    }
    for (level, interleaved) in levels[depth..].iter_mut().zip(path) {
        *level = Level {
            packed: interleaved.packed,
            kept: keep(interleaved.total),
            bits: u64::from(interleaved.bits),
            block: 0,
            changes: plan.plan_state(interleaved.plan_state).changes,
            plan_state: interleaved.plan_state,
            current: interleaved.current,
            count: 0,
        };
    }
    Ok(())
}

/// Make room for more levels.
#[cold]
fn grow<R: HasKernels, S: Copy + Default>(
    levels: &mut Vec<Level<R, S>>,
    by_path: bool,
    memory: usize,
) -> Result<(), StopReason> {
    let empty = Level {
        packed: R::zeroed(),
        kept: S::default(),
        bits: 0,
        block: 0,
        changes: 0,
        plan_state: Plan::<R>::ROOT,
        current: 0,
        count: 1,
    };
    let bytes_per_level = size_of::<Level<R, S>>() + stack::path_bytes(by_path);
    let needed = levels.len() + 1;
    let n_levels = stack::n_levels(levels.len(), needed, bytes_per_level, memory)?;
    stack::resize(levels, n_levels, empty)
}
