//! The last plies of a tree where all rules always apply: no tests, no sets, no stack.
//!
//! The nodes of the inner plies are made one by one; those of the deepest ply are made a whole line
//! at a time and compared with the goals all together, since goals are rare.

use crate::game::lines::Line;
use crate::kernel::{HasKernels, Job, Kernel};
use crate::plan::{MAX_OPEN_PLIES, Plan, PlanState};
use crate::walk::steps::goals_of;

/// The maximum number of nodes made at once, so that limits are checked often enough.
pub(crate) const MAX_NODES: u64 = 1 << 16;

/// The counts, by the number of plies that are left below.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct OpenCounts {
    pub(crate) generated: [u64; MAX_OPEN_PLIES],
    pub(crate) forbidden: [u64; MAX_OPEN_PLIES],
    /// The goals in the deepest ply.
    pub(crate) hits: u64,
}

impl OpenCounts {
    /// Return the number of nodes of all plies.
    pub(crate) fn n_nodes(&self) -> u64 {
        self.generated.iter().sum()
    }
}

/// Return the maximum number, out of the `left` plies below a plan state, that can be made at once,
/// and the maximum number of their nodes. At least one ply, even if it is not open.
pub(crate) fn at_once<R: HasKernels>(
    plan: &Plan<R>,
    plan_state: PlanState,
    left: u64,
) -> (usize, u64) {
    let mut nodes = u64::from(plan_state.n);
    let mut ply = nodes;
    let mut plies = 1;
    while plies < usize::from(plan_state.open_plies) && (plies as u64) < left {
        ply = ply.saturating_mul(plan.lists.longest());
        if nodes.saturating_add(ply) > MAX_NODES {
            break;
        }
        nodes += ply;
        plies += 1;
    }
    (plies, nodes)
}

/// Makes the last plies below a node.
pub(crate) struct OpenPlies<'a, R> {
    pub(crate) plan: &'a Plan<R>,
    pub(crate) packed: &'a R,
    /// Open for as many plies as are left.
    pub(crate) plan_state: PlanState,
    /// At least one.
    pub(crate) left: usize,
    pub(crate) counts: &'a mut OpenCounts,
}

impl<R: HasKernels> Job<R> for OpenPlies<'_, R> {
    type Output = ();

    #[inline(always)]
    fn run<K: Kernel<R>>(self, kernel: K) {
        let Self {
            plan,
            packed,
            plan_state,
            left,
            counts,
        } = self;
        counts.generated[left - 1] += u64::from(plan_state.n);
        counts.forbidden[left - 1] += u64::from(plan_state.n_forbidden);
        if left == 1 {
            if plan_state.may_reach_goal() {
                counts.hits += hits(plan, kernel, packed, plan_state);
            }
            return;
        }
        if left == 2 {
            two_plies(plan, kernel, packed, plan_state, counts);
            return;
        }
        let (first, second) = plan.lists.changes();
        let (start, n) = (plan_state.changes as usize, plan_state.n as usize);
        let (first, second) = (&first[start..start + n], &second[start..start + n]);
        let after = &plan.plan_states_after(plan_state)[..n];
        for i in 0..n {
            let child = kernel.change(packed, &first[i], &second[i]);
            let plan_state = plan.plan_state(after[i]);
            if left == 3 {
                // The call of a function for each of these many nodes would take longer than the
                // count.
                counts.generated[1] += u64::from(plan_state.n);
                counts.forbidden[1] += u64::from(plan_state.n_forbidden);
                two_plies(plan, kernel, &child, plan_state, counts);
                continue;
            }
            kernel.call(OpenPlies {
                plan,
                packed: &child,
                plan_state,
                left: left - 1,
                counts: &mut *counts,
            });
        }
    }
}

/// Make the last ply of the two below a node, and look for goals in it.
#[inline(always)]
fn two_plies<R: HasKernels, K: Kernel<R>>(
    plan: &Plan<R>,
    kernel: K,
    packed: &R,
    plan_state: PlanState,
    counts: &mut OpenCounts,
) {
    let (first, second) = plan.lists.changes();
    let (start, n) = (plan_state.changes as usize, plan_state.n as usize);
    let (first, second) = (&first[start..start + n], &second[start..start + n]);
    let after = &plan.plan_states_after(plan_state)[..n];
    let (mut generated, mut forbidden) = (0, 0);
    if let [goal] = plan.goals.as_slice() {
        let goal = kernel.goal(goal);
        let mut nearest = kernel.far();
        for i in 0..n {
            let plan_state = plan.plan_state(after[i]);
            generated += plan_state.n;
            forbidden += plan_state.n_forbidden;
            if plan_state.may_reach_goal() {
                let child = kernel.change(packed, &first[i], &second[i]);
                let (first, second) = plan.lists.lines(plan_state.changes, plan_state.n as usize);
                nearest = kernel.nearest(&child, first, second, goal, nearest);
            }
        }
        if kernel.may_hit(nearest) {
            for i in 0..n {
                let child = kernel.change(packed, &first[i], &second[i]);
                counts.hits += hits(plan, kernel, &child, plan.plan_state(after[i]));
            }
        }
    } else {
        for i in 0..n {
            let plan_state = plan.plan_state(after[i]);
            generated += plan_state.n;
            forbidden += plan_state.n_forbidden;
            if plan_state.may_reach_goal() {
                let child = kernel.change(packed, &first[i], &second[i]);
                counts.hits += hits(plan, kernel, &child, plan_state);
            }
        }
    }
    counts.generated[0] += u64::from(generated);
    counts.forbidden[0] += u64::from(forbidden);
}

/// Return how many children of a node are goals.
#[inline(always)]
fn hits<R: HasKernels, K: Kernel<R>>(
    plan: &Plan<R>,
    kernel: K,
    packed: &R,
    plan_state: PlanState,
) -> u64 {
    let n = plan_state.n as usize;
    let (first, second) = plan.lists.lines(plan_state.changes, n);
    count_goals(plan, kernel, packed, first, second, n)
}

/// Return how many of the `n` changes of some lines lead to goals.
#[inline(always)]
pub(crate) fn count_goals<R: HasKernels, K: Kernel<R>>(
    plan: &Plan<R>,
    kernel: K,
    packed: &R,
    first: &[Line],
    second: &[Line],
    n: usize,
) -> u64 {
    let mut may_hit = false;
    for goal in &plan.goals {
        let nearest = kernel.nearest(packed, first, second, kernel.goal(goal), kernel.far());
        may_hit |= kernel.may_hit(nearest);
    }
    if !may_hit {
        return 0;
    }
    let (first, second) = (bytemuck::cast_slice(first), bytemuck::cast_slice(second));
    let mut count = 0;
    for i in (0..n).step_by(64) {
        let n = (n - i).min(64);
        count +=
            u64::from(goals_of(plan, kernel, packed, &first[i..], &second[i..], n).count_ones());
    }
    count
}
