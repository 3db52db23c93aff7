//! The steps of all walks by a plan.

use bytemuck::Pod;

use crate::kernel::{HasKernels, Kernel, lowest};
use crate::plan::{List, Lookups, Plan, PlanState};
use crate::run::limits::{StopReason, Watch};

/// Return which of the up to 64 rules of a plan state's list from place `block` on make children,
/// and which others apply and lead back to the parent.
#[inline(always)]
pub(crate) fn children<R: HasKernels, K: Kernel<R>>(
    plan: &Plan<R>,
    kernel: K,
    packed: &R,
    parent: Option<&R>,
    plan_state: PlanState,
    block: usize,
) -> (u64, u64) {
    let n = (plan_state.n as usize - block).min(64);
    let applicable = if plan_state.always {
        lowest(n)
    } else {
        passed(plan, kernel, packed, plan.list(plan_state.list), block, n)
    };
    let Some(parent) = parent else {
        return (applicable, 0);
    };
    let (first, second) = plan.lists.changes();
    let start = plan_state.changes as usize + block;
    let back = equal_to(kernel, packed, &first[start..], &second[start..], n, parent);
    (applicable & !back, applicable & back)
}

/// Return whether a state is a goal.
#[inline(always)]
pub(crate) fn is_goal<R: HasKernels, K: Kernel<R>>(plan: &Plan<R>, kernel: K, packed: &R) -> bool {
    // A loop, since a build for tests doesn't inline `any`, nor the kernel into it.
    for goal in &plan.goals {
        if kernel.agrees(packed, &goal.mask, &goal.value) {
            return true;
        }
    }
    false
}

/// Return which of `n` changes, at most 64, lead to goals.
#[inline(always)]
pub(crate) fn goals_of<R: HasKernels, K: Kernel<R>>(
    plan: &Plan<R>,
    kernel: K,
    packed: &R,
    first: &[R],
    second: &[R],
    n: usize,
) -> u64 {
    let mut set = 0;
    for goal in &plan.goals {
        set |= kernel.hits(packed, first, second, n, &goal.mask, &goal.value);
    }
    set
}

/// Return which of `n` rules of a list, from place `block` on, pass their tests in a state.
#[inline(always)]
fn passed<R: HasKernels, K: Kernel<R>>(
    plan: &Plan<R>,
    kernel: K,
    packed: &R,
    list: List,
    block: usize,
    n: usize,
) -> u64 {
    let Some(tests) = list.tests else {
        return lowest(n);
    };
    // Only lists of one block have a table.
    if K::GATHERS && Lookups::<R>::EXIST && list.lookup != Lookups::<R>::NONE {
        return plan.lists.lookups.passed(list.lookup, kernel, packed);
    }
    let (masks, values) = plan.lists.tests();
    let start = tests as usize + block;
    let mut set = kernel.passed(packed, &masks[start..], &values[start..], n);
    if let Some(equalities) = list.equalities {
        let (first, second) = plan.lists.equalities();
        let start = equalities as usize + block;
        set &= equal_to(kernel, packed, &first[start..], &second[start..], n, packed);
    }
    set
}

/// Return which of `n` changes lead back to this state.
#[inline(always)]
fn equal_to<R: HasKernels, K: Kernel<R>>(
    kernel: K,
    packed: &R,
    first: &[R],
    second: &[R],
    n: usize,
    state: &R,
) -> u64 {
    kernel.hits(packed, first, second, n, &all_ones(), state)
}

/// Return a mask with all bits set.
#[inline(always)]
pub(crate) fn all_ones<R: Pod>() -> R {
    let mut packed = R::zeroed();
    bytemuck::bytes_of_mut(&mut packed).fill(0xFF);
    packed
}

/// Return how many rules apply to a state and are forbidden by the machine.
#[inline(always)]
pub(crate) fn forbidden<R: HasKernels, K: Kernel<R>>(
    plan: &Plan<R>,
    kernel: K,
    packed: &R,
    plan_state: PlanState,
) -> u64 {
    let mut count = u64::from(plan_state.n_forbidden);
    if let Some(list) = plan_state.forbidden {
        let list = plan.list(list);
        let n = list.n as usize;
        let mut block = 0;
        while block < n {
            let set = passed(plan, kernel, packed, list, block, (n - block).min(64));
            count += u64::from(set.count_ones());
            block += 64;
        }
    }
    count
}

/// The number of nodes that may be made before the next check of the limits.
pub(crate) struct NodeAllowance {
    given: u64,
    pub(crate) left: u64,
}

impl NodeAllowance {
    #[inline(always)]
    pub(crate) fn new(watch: &mut Watch<'_, '_>) -> Result<Self, StopReason> {
        let given = watch.poll_for(1)?;
        Ok(Self { given, left: given })
    }

    /// Return the number of nodes made since the last check of the limits.
    #[inline(always)]
    pub(crate) fn used(&self) -> u64 {
        self.given - self.left
    }

    /// Return whether `wanted` nodes may be made. Check the limits if fewer were granted.
    #[inline(always)]
    pub(crate) fn has(
        &mut self,
        wanted: u64,
        watch: &mut Watch<'_, '_>,
    ) -> Result<bool, StopReason> {
        if self.left < wanted {
            self.renew(wanted, watch)?;
        }
        Ok(self.left >= wanted)
    }

    #[cold]
    fn renew(&mut self, wanted: u64, watch: &mut Watch<'_, '_>) -> Result<(), StopReason> {
        self.finish(watch);
        self.given = watch.poll_for(wanted)?;
        self.left = self.given;
        Ok(())
    }

    /// Take back nodes that were counted as made and will be made later, if at all.
    #[cold]
    pub(crate) fn restore(&mut self, nodes: u64, watch: &mut Watch<'_, '_>) {
        let from_these = nodes.min(self.used());
        self.left += from_these;
        watch.take_back(nodes - from_these);
    }

    /// Record the nodes that were made, and return the rest.
    pub(crate) fn finish(&mut self, watch: &mut Watch<'_, '_>) {
        watch.note(self.given - self.left);
        watch.give_back(self.left);
        (self.given, self.left) = (0, 0);
    }
}
