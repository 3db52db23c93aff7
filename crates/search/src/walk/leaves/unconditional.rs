//! The last plies of a tree where all rules always apply: no tests, no sets, no stack.
//!
//! Their nodes were counted when the plan was made; what remains is to find goals. The nodes of the
//! inner plies are made one by one, where they may lead to a goal; those of the deepest ply are
//! made a whole line at a time and compared with the goals all together, since goals are rare.

use crate::game::lines::Line;
use crate::kernel::{HasKernels, Job, Kernel};
use crate::plan::{MAX_OPEN_PLIES, Plan, PlanState};
use crate::walk::steps::goals_of;

/// The counts, by the number of plies that are left below.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpenCounts {
    pub(crate) generated: [u64; MAX_OPEN_PLIES],
    pub(crate) forbidden: [u64; MAX_OPEN_PLIES],
    /// The goals in the deepest ply.
    pub(crate) hits: u64,
}

impl OpenCounts {
    /// No nodes.
    pub(crate) const NONE: Self = Self {
        generated: [0; MAX_OPEN_PLIES],
        forbidden: [0; MAX_OPEN_PLIES],
        hits: 0,
    };

    /// Return the number of nodes of all plies.
    #[inline(always)]
    pub(crate) fn n_nodes(&self) -> u64 {
        let mut n = 0;
        for nodes in self.generated {
            n += nodes;
        }
        n
    }
}

/// Looks for goals in the last of the plies below a node.
pub(crate) struct OpenPlies<'a, R> {
    pub(crate) plan: &'a Plan<R>,
    pub(crate) packed: &'a R,
    /// Open for as many plies as are left.
    pub(crate) plan_state: PlanState,
    /// At least one.
    pub(crate) left: usize,
}

impl<R: HasKernels> Job<R> for OpenPlies<'_, R> {
    /// The number of goals.
    type Output = u64;

    #[inline(always)]
    fn run<K: Kernel<R>>(self, kernel: K) -> u64 {
        let Self {
            plan,
            packed,
            plan_state,
            left,
        } = self;
        match left {
            _ if !plan_state.reaches(left) => return 0,
            1 => return hits(plan, kernel, packed, plan_state),
            2 => return two_plies(plan, kernel, packed, plan_state),
            _ => {}
        }
        let (first, second) = plan.lists.changes();
        let (start, n) = (plan_state.changes as usize, plan_state.n as usize);
        let (first, second) = (&first[start..start + n], &second[start..start + n]);
        let after = &plan.graph.plan_states_after(plan_state)[..n];
        let mut count = 0;
        for i in 0..n {
            let plan_state = plan.plan_state(after[i]);
            if !plan_state.reaches(left - 1) {
                continue;
            }
            let child = kernel.change(packed, &first[i], &second[i]);
            count += if left == 3 {
                // A function call for each of these many nodes would take longer.
                two_plies(plan, kernel, &child, plan_state)
            } else {
                kernel.call(OpenPlies {
                    plan,
                    packed: &child,
                    plan_state,
                    left: left - 1,
                })
            };
        }
        count
    }
}

/// Look for goals in the last ply of the two below a node.
#[inline(always)]
fn two_plies<R: HasKernels, K: Kernel<R>>(
    plan: &Plan<R>,
    kernel: K,
    packed: &R,
    plan_state: PlanState,
) -> u64 {
    let (first, second) = plan.lists.changes();
    let (start, n) = (plan_state.changes as usize, plan_state.n as usize);
    let (first, second) = (&first[start..start + n], &second[start..start + n]);
    let after = &plan.graph.plan_states_after(plan_state)[..n];
    if let [goal] = plan.goals.as_slice() {
        let goal = kernel.goal(goal);
        let mut nearest = kernel.far();
        for i in 0..n {
            let plan_state = plan.plan_state(after[i]);
            if plan_state.may_reach_goal() {
                let child = kernel.change(packed, &first[i], &second[i]);
                let (first, second) = plan.lists.lines(plan_state.changes, plan_state.n as usize);
                nearest = kernel.nearest(&child, first, second, goal, nearest);
            }
        }
        if !kernel.may_hit(nearest) {
            return 0;
        }
    }
    let mut count = 0;
    for i in 0..n {
        let plan_state = plan.plan_state(after[i]);
        if plan_state.may_reach_goal() {
            let child = kernel.change(packed, &first[i], &second[i]);
            count += hits(plan, kernel, &child, plan_state);
        }
    }
    count
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
