//! The stack of the walk by cost.

use crate::kernel::HasKernels;
use crate::plan::{Graph, Plan, PlanStateId};
use crate::run::limits::{StopReason, Watch};
use crate::run::report::LevelCount;
use crate::walk::evaluator::Expansion;
use crate::walk::interleaved::InterleavedLevel;
use crate::walk::stack;

/// A node of the path. Values that change while it is expanded are in registers, and are put here
/// when the walk goes deeper.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level<R, S> {
    pub(super) packed: R,
    pub(super) kept: S,
    /// The rules of the block that are applicable and still to be tried.
    pub(super) bits: u64,
    /// The place in the plan state's list of the 64 rules that `bits` refers to.
    pub(super) block: u32,
    /// Where their changes begin.
    pub(super) changes: u32,
    /// The plan state that the node is expanded in.
    pub(super) plan_state: PlanStateId,
    /// The place in the list of the rule that led deeper.
    pub(super) current: u32,
    /// The number of nodes that a child counts for: 0 where an interleaved walk has already counted
    /// it.
    pub(super) count: u64,
}

impl<R: HasKernels, S> Level<R, S> {
    /// Return the node for the estimator.
    #[inline(always)]
    pub(super) fn expansion<'w>(
        &'w self,
        depth: usize,
        changes: (&'w [R], &'w [R]),
        bound: u64,
    ) -> Expansion<'w, R, S> {
        Expansion {
            packed: &self.packed,
            kept: &self.kept,
            depth,
            changes,
            first: self.changes as usize,
            bound,
        }
    }

    /// Return the rule at a place of the block.
    #[inline(always)]
    pub(super) fn rule(&self, plan: &Plan<R>, place: u32) -> u32 {
        let list = plan.plan_state(self.plan_state).list;
        plan.rules(list)[(self.block + place) as usize]
    }
}

/// Return the rules along a path.
#[cold]
pub(super) fn rules_along<R, S>(graph: &Graph, levels: &[Level<R, S>]) -> Vec<u32> {
    let mut rules = Vec::with_capacity(levels.len());
    for level in levels {
        let list = graph.plan_state(level.plan_state).list;
        rules.push(graph.lists.rules(list)[level.current as usize]);
    }
    rules
}

/// Return the number of nodes after a path that were counted at once: the later children of its
/// levels, but for those that an interleaved walk has counted.
#[cold]
pub(super) fn counted_behind<R, S>(graph: &Graph, levels: &[Level<R, S>]) -> u64 {
    let mut behind = 0;
    for level in levels {
        let n = graph.plan_state(level.plan_state).n;
        behind += u64::from(n - level.current - 1) * (1 - level.count);
    }
    behind
}

/// Subtract the children of a level that were not made from the counts by depth.
#[cold]
pub(super) fn take_off<R, S>(
    by_depth: &mut [LevelCount],
    path: &[Level<R, S>],
    count_depths: bool,
) {
    if count_depths {
        for (level, below) in path.iter().zip(by_depth.iter_mut().skip(1)) {
            below.generated -= u64::from(level.bits.count_ones());
        }
    }
}

/// Put the path of an interleaved walk on the stack, from a depth on.
#[cold]
pub(super) fn take_over<R: HasKernels, S: Copy + Default>(
    levels: &mut Vec<Level<R, S>>,
    plan: &Plan<R>,
    depth: usize,
    path: &[InterleavedLevel<R>],
    keep: fn(u64) -> S,
    watch: &Watch<'_, '_>,
) -> Result<(), StopReason> {
    while levels.len() < depth + path.len() {
        // There is no interleaved walk where children are compared with their path.
        grow(levels, 0, watch.memory())?;
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

/// Make room for more levels, each of which takes `beside_bytes` besides the stack.
#[cold]
pub(super) fn grow<R: HasKernels, S: Copy + Default>(
    levels: &mut Vec<Level<R, S>>,
    beside_bytes: usize,
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
    let bytes_per_level = size_of::<Level<R, S>>() + beside_bytes;
    let needed = levels.len() + 1;
    let n_levels = stack::n_levels(levels.len(), needed, bytes_per_level, memory)?;
    stack::resize(levels, n_levels, empty)
}
