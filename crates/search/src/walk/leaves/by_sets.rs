//! The last plies of a tree where many rules have to be tested: by [sets of
//! rules](crate::plan::RuleSets).

use crate::kernel::{HasKernels, Job, Kernel};
use crate::plan::{Plan, PlanStateId, RuleSets, Rules, Set, SetPlanState};
use crate::walk::leaves::unconditional::OpenCounts;
use crate::walk::steps::is_goal;

/// Makes the last plies below a node.
pub(crate) struct SetPlies<'a, R> {
    pub(crate) plan: &'a Plan<R>,
    pub(crate) sets: &'a RuleSets<R>,
    pub(crate) packed: &'a R,
    pub(crate) plan_state: PlanStateId,
    /// From 1 to 3.
    pub(crate) left: usize,
    pub(crate) count_forbidden: bool,
}

impl<R: HasKernels> Job<R> for SetPlies<'_, R> {
    type Output = OpenCounts;

    #[inline(always)]
    fn run<K: Kernel<R>>(self, kernel: K) -> OpenCounts {
        let mut counts = OpenCounts::NONE;
        let (packed, plan_state) = (self.packed, self.plan_state);
        match self.left {
            1 => self.one_ply(kernel, packed, plan_state, &mut counts),
            2 => self.two_plies(kernel, packed, plan_state, &mut counts),
            _ => self.three_plies(kernel, packed, plan_state, &mut counts),
        }
        counts
    }
}

/// Run a statement for each rule of a set. A macro, since a closure would be a function without the
/// kernel's instructions.
macro_rules! for_each_rule {
    ($set:expr, $branch:ident => $body:block) => {
        let words = $set.words();
        let mut rules = Rules::of(&words);
        while !rules.is_empty() {
            let $branch = rules.next(&words);
            $body
        }
    };
}

impl<R: HasKernels> SetPlies<'_, R> {
    /// Return the rules that make children of a node, and count them.
    #[inline(always)]
    fn children(
        &self,
        packed: &R,
        plan_state: &SetPlanState,
        counts: &mut OpenCounts,
        left_below: usize,
    ) -> Set {
        let applicable = self.sets.applicable(packed);
        let children = applicable.and(&plan_state.allowed);
        counts.generated[left_below] += children.len();
        if self.count_forbidden {
            let rare = self.sets.rare(plan_state);
            let forbidden = applicable.and(&rare.forbidden).len();
            counts.forbidden[left_below] += forbidden + u64::from(rare.n_forbidden);
        }
        children
    }

    /// Return the child by a rule.
    #[inline(always)]
    fn child<K: Kernel<R>>(&self, kernel: K, packed: &R, branch: usize) -> R {
        let change = self.sets.change(branch);
        kernel.change(packed, &change.first, &change.second)
    }

    #[inline(always)]
    fn three_plies<K: Kernel<R>>(
        &self,
        kernel: K,
        packed: &R,
        plan_state: PlanStateId,
        counts: &mut OpenCounts,
    ) {
        let plan_state = self.sets.plan_state(plan_state);
        let children = self.children(packed, plan_state, counts, 2);
        for_each_rule!(children, branch => {
            let child = self.child(kernel, packed, branch);
            self.two_plies(kernel, &child, self.sets.next(plan_state, branch), counts);
        });
    }

    #[inline(always)]
    fn two_plies<K: Kernel<R>>(
        &self,
        kernel: K,
        packed: &R,
        plan_state: PlanStateId,
        counts: &mut OpenCounts,
    ) {
        let plan_state = self.sets.plan_state(plan_state);
        let children = self.children(packed, plan_state, counts, 1);
        for_each_rule!(children, branch => {
            let child = self.child(kernel, packed, branch);
            self.one_ply(kernel, &child, self.sets.next(plan_state, branch), counts);
        });
    }

    /// Make the deepest ply. Only the nodes that may be goals are made.
    #[inline(always)]
    fn one_ply<K: Kernel<R>>(
        &self,
        kernel: K,
        packed: &R,
        plan_state: PlanStateId,
        counts: &mut OpenCounts,
    ) {
        let plan_state = self.sets.plan_state(plan_state);
        let children = self.children(packed, plan_state, counts, 0);
        if !plan_state.reaches_goals {
            return;
        }
        let may_hit = children.and(&self.sets.to_goal(packed));
        if may_hit.is_empty() {
            return;
        }
        let may_hit = may_hit.and(&self.sets.rare(plan_state).to_goal);
        for_each_rule!(may_hit, branch => {
            let child = self.child(kernel, packed, branch);
            counts.hits += u64::from(is_goal(self.plan, kernel, &child));
        });
    }
}
