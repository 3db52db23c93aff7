//! The loop of the walk by cost.

use crate::kernel::{HasKernels, Job, Kernel};
use crate::plan::Plan;
use crate::run::limits::{StopReason, Watch};
use crate::run::options::CycleDetection;
use crate::run::report::Totals;
use crate::transposition::learner::{Known, Lesson, words};
use crate::walk::cost::levels::{Level, counted_behind, grow, rules_along, take_off, take_over};
use crate::walk::cost::{CostStart, CostTask, CostWalk, Wanted};
use crate::walk::cycles::hash;
use crate::walk::evaluator::{Estimator, Step};
use crate::walk::interleaved::{
    InterleavedCounts, InterleavedEnd, InterleavedStart, InterleavedStreams, InterleavedWalk,
    LEAST_BEFORE_PAUSE,
};
use crate::walk::outcome::{Found, Least};
use crate::walk::stack;
use crate::walk::steps::{NodeAllowance, all_ones, children, forbidden, is_goal};
use crate::walk::threshold::Frontier;

/// An interleaved walk that makes more nodes than this is too large: up to half of them are made
/// in vain if the first half has a goal.
const MANY_INTERLEAVED: u64 = 1 << 17;

/// An interleaved walk that makes fewer nodes than this is too small: it begins and ends with one
/// subtree at a time.
const FEW_INTERLEAVED: u64 = 1 << 13;

/// By how much the depth of the first interleaved walks grows from one walk to the next.
const DEEPER: usize = 2;

/// Return the depth from which on nodes are left to interleaved walks, after one that began at
/// `depth` and made `made` nodes.
fn next_depth(current: usize, depth: usize, made: u64) -> usize {
    if made > MANY_INTERLEAVED {
        depth + 1 + (made / MANY_INTERLEAVED).ilog2() as usize
    } else if made < FEW_INTERLEAVED {
        (current - 1).max(1)
    } else {
        current
    }
}

/// Return the depth from which on a walk of a whole tree leaves nodes to interleaved walks, if the
/// last one made `last` nodes. It is a larger one.
pub(super) fn depth_after(last: u64) -> usize {
    next_depth(1, 0, last) + DEEPER
}

/// The data that a walk works with.
pub(crate) struct Walking<'w, 'p, 's, 't, R, E: Estimator<R>> {
    pub(super) walk: &'w mut CostWalk<'p, R, E>,
    pub(super) start: &'w CostStart<R, E::Kept>,
    pub(super) task: &'w CostTask,
    pub(super) frontier: &'w mut Frontier,
    pub(super) watch: &'w mut Watch<'s, 't>,
}

/// The walk, in three [forms](super::forms): with all that a walk can do (`FULL`); without whole
/// paths, best solutions, counts of trees, and counts of nodes beyond the bound; and in full with a
/// transposition table (`LEARNS`).
pub(super) struct WalkJob<W, const FULL: bool, const LEARNS: bool>(pub(super) W);

/// Conditions that are constant. They stand wherever such code is: what they exclude isn't even
/// generated.
impl<R: HasKernels, E: Estimator<R>, const FULL: bool, const LEARNS: bool>
    WalkJob<Walking<'_, '_, '_, '_, R, E>, FULL, LEARNS>
{
    /// Whether there may be an interleaved walk.
    const INTERLEAVES: bool = !LEARNS && R::INTERLEAVES && E::INTERLEAVES;
}

impl<R: HasKernels, E: Estimator<R>, const FULL: bool, const LEARNS: bool> Job<R>
    for WalkJob<Walking<'_, '_, '_, '_, R, E>, FULL, LEARNS>
{
    type Output = Result<(), StopReason>;

    #[inline(always)]
    fn run<K: Kernel<R>>(self, kernel: K) -> Self::Output {
        let Walking {
            walk,
            start,
            task,
            frontier,
            watch,
        } = self.0;
        let (plan, estimator) = (walk.plan, walk.estimator);
        // These are branches, since separate loops would be compiled for every packed state and
        // family of instructions, which costs more.
        let (count_forbidden, count_depths) = (task.count_forbidden, task.count_depths);
        let cycles = task.cycles;
        let by_path = FULL && cycles == CycleDetection::Path;
        let wanted = if FULL { task.wanted } else { Wanted::FirstGoal };
        let counts_beyond = FULL && frontier.counts();
        let (firsts, seconds) = plan.lists.changes();
        // They are equally long; now the compiler knows, and compares an index only once.
        let seconds = &seconds[..firsts.len()];
        // Variables that change in the loop are locals, so that the compiler can keep them in
        // registers.
        let mut levels = std::mem::take(&mut walk.levels);
        let mut by_depth = std::mem::take(&mut walk.by_depth);
        let mut path = std::mem::take(&mut walk.path);
        let mut lessons = std::mem::take(&mut walk.lessons);
        // The knowledge of `node`.
        let mut lesson = start.lesson;
        let mut batches = std::mem::take(&mut walk.batches);
        let beside_bytes = stack::path_bytes(by_path)
            + if LEARNS { size_of::<Lesson>() } else { 0 }
            + estimator.bytes_of_batch();
        estimator.reserve_batches(&mut batches, levels.len())?;
        let mut least = Least::default();
        let mut overflow = false;
        let mut found = None;
        let mut not_made = 0_u64;
        let mut ahead_generated = 0_u64;
        let generated_before = watch.generated();
        let mut allowance = NodeAllowance::new(watch)?;
        let mut bound = task.bound;
        let (mut expanded, mut pruned, mut n_cycles) = (0_u64, 0_u64, 0_u64);
        let mut depth = 0;
        let mut node = (start.packed, start.kept, start.plan_state, start.total);
        let is_plain = cycles == CycleDetection::None && wanted == Wanted::FirstGoal;
        // A subtree that is handed over contains neither the table's lessons nor the path that was
        // searched.
        let learns = LEARNS && walk.learner.is_some();
        let may_pause = !learns && !by_path && wanted == Wanted::FirstGoal && !counts_beyond;
        let interleaved = if Self::INTERLEAVES && is_plain && !count_depths && !counts_beyond {
            estimator
                .interleaved()
                .filter(|tables| tables.serves(bound))
        } else {
            None
        };
        let mut may_interleave = true;
        let is_whole = start.plan_state == Plan::<R>::ROOT && start.siblings.is_none();
        // The depth of the start, if depths of walks with other starts tell something about it.
        let start_depth = if is_whole { Some(0) } else { walk.start_depth };
        let mut interleaved_depth = start_depth.map_or(1, |start_depth| {
            walk.interleaved_depth.saturating_sub(start_depth).max(1)
        });
        let mut interleaved_counts = InterleavedCounts::default();
        let end = 'walk: loop {
            let mut bits: u64;
            let mut goal_below = None;
            'expand: {
                // Visit a whole subtree by the interleaved walk, if there is one.
                if Self::INTERLEAVES
                    && let Some(tables) = interleaved
                    && depth >= interleaved_depth
                    && may_interleave
                {
                    let made_before = watch.generated() + allowance.used();
                    let streams = walk.streams.get_or_insert_with(InterleavedStreams::new);
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
                        allowance: &mut allowance,
                        watch: &mut *watch,
                        counts: &mut interleaved_counts,
                    };
                    let end = R::interleaved(kernel, interleaved_walk)
                        .expect("packed_states without lanes have no tables of lanes");
                    let path = match end {
                        Err(reason) => break 'walk Err(reason),
                        Ok(InterleavedEnd::Done) => {
                            let made = watch.generated() + allowance.used() - made_before;
                            interleaved_depth = next_depth(interleaved_depth, depth, made);
                            depth -= 1;
                            bits = levels[depth].bits;
                            // Between two subtrees a pause costs little.
                            let generated = watch.generated() + allowance.used();
                            if generated - generated_before >= LEAST_BEFORE_PAUSE
                                && watch.is_to_pause_here(allowance.used())
                            {
                                walk.pause_at(start, &levels[..=depth], false);
                                break 'walk Ok(());
                            }
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
                        Ok(InterleavedEnd::Paused(rest)) => {
                            let above = &levels[..depth];
                            ahead_generated +=
                                walk.pause_below(start, above, rest, count_forbidden);
                            break 'walk Ok(());
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
                if depth == levels.len() {
                    let grown = grow(&mut levels, beside_bytes, watch.memory())
                        .and_then(|()| estimator.reserve_batches(&mut batches, levels.len()));
                    if let Err(reason) = grown {
                        take_off(&mut by_depth, &levels[..depth], count_depths);
                        break 'walk Err(reason);
                    }
                }
                estimator.begin_batch(&mut batches, depth);
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
                // The remaining children of a node that another walk has expanded.
                if depth == 0
                    && let Some(siblings) = start.siblings
                {
                    levels[0] = Level {
                        packed,
                        kept,
                        bits: siblings.bits,
                        block: siblings.block,
                        changes: plan_state.changes + siblings.block,
                        plan_state: plan_state_id,
                        current: 0,
                        count: siblings.count,
                    };
                    bits = siblings.bits;
                    if count_depths {
                        by_depth[1].generated += u64::from(bits.count_ones());
                    }
                    break 'expand;
                }
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
                    // Count all of them now; the ones that are not made are subtracted at the end.
                    below.generated += u64::from(at_first.count_ones());
                }
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
                if FULL && by_path {
                    path.enter(depth, |depth| hash(&levels[depth].packed));
                }
                if LEARNS {
                    lessons.resize(levels.len(), Lesson::default());
                    lesson.enter(watch.generated() + allowance.used());
                    lessons[depth] = lesson;
                }
            }
            // Find the next child within the bound, here or further up.
            loop {
                let goal = if let Some(total) = goal_below.take() {
                    Some(total)
                } else {
                    let level = &mut levels[depth];
                    if bits == 0 {
                        let plan_state = plan.plan_state(level.plan_state);
                        let block = level.block + 64;
                        let ends = || start.siblings.is_some_and(|siblings| siblings.ends);
                        if block < plan_state.n && !(depth == 0 && ends()) {
                            level.block = block;
                            level.changes = plan_state.changes + block;
                            let block = block as usize;
                            (bits, _) =
                                children(plan, kernel, &level.packed, None, plan_state, block);
                            estimator.begin_batch(&mut batches, depth);
                            if count_depths {
                                by_depth[depth + 1].generated += u64::from(bits.count_ones());
                            }
                            continue;
                        }
                        if FULL && by_path {
                            path.leave(depth, hash(&level.packed));
                        }
                        if LEARNS && let Some(learner) = &mut walk.learner {
                            let generated = watch.generated() + allowance.used();
                            let (state, n_words) = words(&level.packed);
                            learner.leave(&state[..n_words], &mut lessons[depth], generated);
                        }
                        if depth == 0 {
                            break 'walk Ok(());
                        }
                        depth -= 1;
                        if LEARNS {
                            let left = lessons[depth + 1];
                            lessons[depth].charge_child(&left);
                        }
                        bits = levels[depth].bits;
                        continue;
                    }
                    if allowance.left < level.count {
                        let end = match allowance.has(1, watch) {
                            Ok(true) if may_pause && watch.is_to_pause_here(0) => Some(Ok(())),
                            Ok(true) => None,
                            Ok(false) => Some(Err(StopReason::Nodes)),
                            Err(reason) => Some(Err(reason)),
                        };
                        if let Some(end) = end {
                            level.bits = bits;
                            take_off(&mut by_depth, &levels[..=depth], count_depths);
                            if end.is_ok() {
                                walk.pause_at(start, &levels[..=depth], task.prunes_parents());
                            }
                            break 'walk end;
                        }
                    }
                    let place = bits.trailing_zeros();
                    bits &= bits - 1;
                    let change = (level.changes + place) as usize;
                    if cycles != CycleDetection::None {
                        let child =
                            kernel.change(&levels[depth].packed, &firsts[change], &seconds[change]);
                        let closes = if FULL && by_path {
                            path.contains(hash(&child), |depth| levels[depth].packed == child)
                        } else {
                            let parent = match depth {
                                0 => start.parent.as_ref(),
                                _ => Some(&levels[depth - 1].packed),
                            };
                            parent.is_some_and(|it| kernel.agrees(&child, &all_ones(), it))
                        };
                        if closes {
                            if LEARNS && let Some(learner) = &walk.learner {
                                let level = &levels[depth];
                                let node = level.expansion(depth, (firsts, seconds), bound);
                                match estimator.step(kernel, node, (place, bits), &mut batches) {
                                    Step::Beyond(total) | Step::Within(total, ..) => {
                                        lessons[depth].charge_total(total);
                                    }
                                    Step::DeadEnd => {}
                                    Step::Overflow => {
                                        let rule = level.rule(plan, place);
                                        learner.charge_rule(&mut lessons[depth], rule);
                                    }
                                }
                            }
                            n_cycles += 1;
                            if count_depths {
                                by_depth[depth + 1].pruned_by_cycle += 1;
                                by_depth[depth + 1].generated -= 1;
                            }
                            continue;
                        }
                    }
                    let level = &mut levels[depth];
                    allowance.left -= level.count;
                    let expansion = level.expansion(depth, (firsts, seconds), bound);
                    let step = estimator.step(kernel, expansion, (place, bits), &mut batches);
                    let (total, packed, kept) = match step {
                        Step::Beyond(total) => {
                            if LEARNS {
                                lessons[depth].charge_total(total);
                            }
                            least.beyond(total);
                            if FULL && counts_beyond {
                                frontier.count(total);
                            }
                            if count_depths {
                                by_depth[depth + 1].beyond_bound += 1;
                                if FULL && wanted == Wanted::Count {
                                    by_depth[depth + 1].generated -= 1;
                                    allowance.left += 1;
                                }
                            }
                            continue;
                        }
                        Step::Within(total, packed, kept) => (total, packed, kept),
                        Step::DeadEnd => continue,
                        Step::Overflow => {
                            overflow = true;
                            if LEARNS && let Some(learner) = &walk.learner {
                                let rule = level.rule(plan, place);
                                learner.charge_rule(&mut lessons[depth], rule);
                            }
                            if FULL && wanted == Wanted::Count {
                                by_depth[depth + 1].beyond_bound += 1;
                                by_depth[depth + 1].generated -= 1;
                                allowance.left += 1;
                            }
                            continue;
                        }
                    };
                    if LEARNS && let Some(learner) = &mut walk.learner {
                        lesson = learner.child(&lessons[depth], level.rule(plan, place), total);
                        let (state, n_words) = words(&packed);
                        // Look up only now, and not when the parent was entered: the siblings'
                        // subtrees may have added bounds since then.
                        let known = learner.look_up(&state[..n_words], &mut lesson, bound);
                        if known != Known::Within {
                            match known {
                                Known::Beyond(total) => {
                                    least.beyond(total);
                                    if counts_beyond {
                                        frontier.count(total);
                                    }
                                }
                                Known::Overflow => overflow = true,
                                Known::DeadEnd | Known::Within => {}
                            }
                            if count_depths {
                                by_depth[depth + 1].beyond_bound += 1;
                            }
                            lessons[depth].charge_child(&lesson);
                            continue;
                        }
                    }
                    level.bits = bits;
                    level.current = level.block + place;
                    if wanted != Wanted::Count && is_goal(plan, kernel, &packed) {
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
                found = Some(Found {
                    total,
                    rules: rules_along(&plan.graph, &levels[..=depth]),
                });
                // Nothing costs less than nothing.
                if FULL
                    && wanted == Wanted::BestGoal
                    && let Some(below) = total.checked_sub(1)
                {
                    if LEARNS {
                        lessons[depth].charge_total(total);
                    }
                    bound = below;
                    continue;
                }
                take_off(&mut by_depth, &levels[..=depth], count_depths);
                // Subtract the later children, which were not made.
                not_made += counted_behind(&plan.graph, &levels[..=depth]);
                break 'walk Ok(());
            }
        };
        if count_forbidden {
            pruned += interleaved_counts.forbidden;
        }
        allowance.finish(watch);
        if is_whole {
            // The next walk from the root is a larger one.
            walk.interleaved_depth = interleaved_depth + DEEPER;
        } else if let Some(start_depth) = start_depth {
            walk.interleaved_depth = interleaved_depth + start_depth;
        }
        frontier.merge(least);
        walk.levels = levels;
        walk.by_depth = by_depth;
        walk.path = path;
        walk.batches = batches;
        walk.lessons = lessons;
        walk.overflow = overflow;
        walk.found = found;
        walk.counts = Totals {
            generated: u128::from(
                watch.generated() - generated_before - not_made - ahead_generated,
            ),
            expanded: u128::from(expanded + interleaved_counts.expanded),
            pruned_by_machine: u128::from(pruned),
            pruned_by_cycle: u128::from(n_cycles),
        };
        end
    }
}
