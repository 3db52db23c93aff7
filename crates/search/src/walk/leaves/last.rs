//! The last ply of a tree, or the last two, where rules have to be tested.

use crate::kernel::{HasKernels, Job, Kernel};
use crate::plan::{Context, Plan};
use crate::run::report::LevelCount;
use crate::walk::depth::{DepthTask, Node};
use crate::walk::leaves::unconditional::count_goals;
use crate::walk::steps::{children, forbidden, is_goal};

/// What was made in a ply.
#[derive(Clone, Copy, Default)]
pub(crate) struct Ply {
    pub(crate) generated: u64,
    cycles: u64,
    forbidden: u64,
    /// Goals.
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
                let parent = task.prunes_parents().then_some(&node.row);
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
