//! The last ply of a tree, or the last two, where rules have to be tested.

use crate::kernel::{HasKernels, Job, Kernel};
use crate::plan::{Plan, PlanState};
use crate::run::report::LevelCount;
use crate::walk::depth::{DepthTask, Node};
use crate::walk::leaves::unconditional::count_goals;
use crate::walk::steps::{children, forbidden, is_goal};

/// The counts of a ply.
#[derive(Clone, Copy, Default)]
pub(crate) struct Ply {
    pub(crate) generated: u64,
    cycles: u64,
    forbidden: u64,
    /// The number of goals.
    pub(crate) hits: u64,
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
    pub(crate) fn add_to(&self, level: &mut LevelCount) {
        level.generated += self.generated;
        level.pruned_by_cycle += self.cycles;
        level.pruned_by_machine += self.forbidden;
    }
}

/// Makes the last ply, or the last two, below a node.
pub(crate) struct LastPlies<'a, R> {
    pub(crate) plan: &'a Plan<R>,
    pub(crate) node: &'a Node<R>,
    pub(crate) two: bool,
    pub(crate) task: &'a DepthTask,
}

impl<R: HasKernels> Job<R> for LastPlies<'_, R> {
    /// The counts of both plies; the first is empty when there is only one.
    type Output = (Ply, Ply);

    #[inline(always)]
    fn run<K: Kernel<R>>(self, kernel: K) -> (Ply, Ply) {
        let Self {
            plan,
            node,
            two,
            task,
        } = self;
        let plan_state = plan.plan_state(node.plan_state);
        let (mut inner, mut last) = (Ply::default(), Ply::default());
        let parent = node.parent.as_ref();
        if !two {
            return (
                inner,
                last_ply(plan, kernel, &node.packed, parent, plan_state, task),
            );
        }
        if task.count_forbidden {
            inner.forbidden = forbidden(plan, kernel, &node.packed, plan_state);
        }
        let (first, second) = plan.lists.changes();
        let n = plan_state.n as usize;
        let mut block = 0;
        while block < n {
            let (mut bits, back) = children(plan, kernel, &node.packed, parent, plan_state, block);
            let start = plan_state.changes as usize + block;
            let (first, second) = (&first[start..], &second[start..]);
            inner.cycles += u64::from(back.count_ones());
            inner.generated += u64::from(bits.count_ones());
            while bits != 0 {
                let i = bits.trailing_zeros() as usize;
                bits &= bits - 1;
                let packed = kernel.change(&node.packed, &first[i], &second[i]);
                let plan_state = plan.plan_state(plan.next(plan_state, block + i));
                let parent = task.prunes_parents().then_some(&node.packed);
                last.add(last_ply(plan, kernel, &packed, parent, plan_state, task));
            }
            block += 64;
        }
        (inner, last)
    }
}

/// Make the children of a node in the last ply.
#[inline(always)]
fn last_ply<R: HasKernels, K: Kernel<R>>(
    plan: &Plan<R>,
    kernel: K,
    packed: &R,
    parent: Option<&R>,
    plan_state: PlanState,
    task: &DepthTask,
) -> Ply {
    let (first, second) = plan.lists.changes();
    let start = plan_state.changes as usize;
    let (first, second) = (&first[start..], &second[start..]);
    let n = plan_state.n as usize;
    let mut ply = Ply::default();
    if task.count_forbidden {
        ply.forbidden = forbidden(plan, kernel, packed, plan_state);
    }
    if plan_state.always && parent.is_none() {
        ply.generated = u64::from(plan_state.n);
        if plan_state.may_reach_goal() {
            let (first, second) = plan.lists.lines(plan_state.changes, n);
            ply.hits = count_goals(plan, kernel, packed, first, second, n);
        }
        return ply;
    }
    let mut block = 0;
    while block < n {
        let (bits, back) = children(plan, kernel, packed, parent, plan_state, block);
        ply.cycles += u64::from(back.count_ones());
        ply.generated += u64::from(bits.count_ones());
        // Most rules don't apply, or lead to no goal: the children by the other rules are made one
        // by one.
        let mut may_hit = bits & plan.goal_rules(plan_state, block);
        while may_hit != 0 {
            let i = block + may_hit.trailing_zeros() as usize;
            may_hit &= may_hit - 1;
            let child = kernel.change(packed, &first[i], &second[i]);
            ply.hits += u64::from(is_goal(plan, kernel, &child));
        }
        block += 64;
    }
    ply
}
