//! The last plies of a tree where many rules have to be tested: by [sets of
//! rules](crate::plan::RuleSets).

use crate::kernel::{HasKernels, Job, Kernel};
use crate::plan::{ContextId, Plan, RuleSets, Set, SetContext, WORDS};
use crate::walk::leaves::unconditional::OpenCounts;
use crate::walk::steps::is_goal;

/// Makes the last plies below a node.
pub(crate) struct SetPlies<'a, R> {
    pub(crate) plan: &'a Plan<R>,
    pub(crate) sets: &'a RuleSets<R>,
    pub(crate) row: &'a R,
    pub(crate) context: ContextId,
    /// From 1 to 3.
    pub(crate) left: usize,
    pub(crate) count_forbidden: bool,
}

impl<R: HasKernels> Job<R> for SetPlies<'_, R> {
    type Output = OpenCounts;

    #[inline(always)]
    fn run<K: Kernel<R>>(self, kernel: K) -> OpenCounts {
        let mut counts = OpenCounts::default();
        let (row, context) = (self.row, self.context);
        match self.left {
            1 => self.one_ply(kernel, row, context, &mut counts),
            2 => self.two_plies(kernel, row, context, &mut counts),
            _ => self.three_plies(kernel, row, context, &mut counts),
        }
        counts
    }
}

/// Does something for each rule of a set. A macro: a closure would be a function without the
/// kernel's instructions.
macro_rules! for_each_rule {
    ($set:expr, $branch:ident => $body:block) => {
        for i in 0..WORDS {
            let mut rest = $set.word(i);
            while rest != 0 {
                let $branch = 64 * i + rest.trailing_zeros() as usize;
                rest &= rest - 1;
                $body
            }
        }
    };
}

impl<R: HasKernels> SetPlies<'_, R> {
    /// The rules that make children of a node, which are counted.
    #[inline(always)]
    fn children(
        &self,
        row: &R,
        context: &SetContext,
        counts: &mut OpenCounts,
        left_below: usize,
    ) -> Set {
        let applicable = self.sets.applicable(row);
        let children = applicable.and(&context.allowed);
        counts.generated[left_below] += children.len();
        if self.count_forbidden {
            let forbidden = applicable.and(&context.forbidden).len();
            counts.forbidden[left_below] += forbidden + u64::from(context.n_forbidden);
        }
        children
    }

    /// The child by a rule.
    #[inline(always)]
    fn child<K: Kernel<R>>(&self, kernel: K, row: &R, branch: usize) -> R {
        let change = self.sets.change(branch);
        kernel.change(row, &change.first, &change.second)
    }

    #[inline(always)]
    fn three_plies<K: Kernel<R>>(
        &self,
        kernel: K,
        row: &R,
        context: ContextId,
        counts: &mut OpenCounts,
    ) {
        let context = self.sets.context(context);
        let children = self.children(row, context, counts, 2);
        for_each_rule!(children, branch => {
            let child = self.child(kernel, row, branch);
            self.two_plies(kernel, &child, self.sets.next(context, branch), counts);
        });
    }

    #[inline(always)]
    fn two_plies<K: Kernel<R>>(
        &self,
        kernel: K,
        row: &R,
        context: ContextId,
        counts: &mut OpenCounts,
    ) {
        let context = self.sets.context(context);
        let children = self.children(row, context, counts, 1);
        for_each_rule!(children, branch => {
            let child = self.child(kernel, row, branch);
            self.one_ply(kernel, &child, self.sets.next(context, branch), counts);
        });
    }

    /// The deepest ply. Only what may be a goal is made.
    #[inline(always)]
    fn one_ply<K: Kernel<R>>(
        &self,
        kernel: K,
        row: &R,
        context: ContextId,
        counts: &mut OpenCounts,
    ) {
        let context = self.sets.context(context);
        let children = self.children(row, context, counts, 0);
        let may_hit = children.and(&context.to_goal);
        for_each_rule!(may_hit, branch => {
            let child = self.child(kernel, row, branch);
            counts.hits += u64::from(is_goal(self.plan, kernel, &child));
        });
    }
}
