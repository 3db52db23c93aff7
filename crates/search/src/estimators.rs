//! What searches by cost know of the cost that is still to come.

use psvn_ir::VarId;

use crate::best_first::Weight;
use crate::branches::Branch;
use crate::heuristic::{DEAD_END, Heuristic};
use crate::kernel::{HasKernels, Kernel};
use crate::plan::Plan;
use crate::row::{Form, Place};
use crate::value_sums::ValueSums;

/// g + w h in parts of the weight's denominator; `None` beyond 64 bits.
#[inline(always)]
fn total(weight: Weight, g: u64, h: u64) -> Option<u64> {
    u64::try_from(weight.total(g, h)).ok()
}

/// A child, looked at.
pub(crate) enum Step<R, S> {
    /// No goal can be reached from it.
    DeadEnd,
    /// Its estimated total cost, or its cost, doesn't fit in 64 bits.
    Overflow,
    /// Its estimated total cost is beyond the bound.
    Beyond(u64),
    /// It is within the bound: its estimated total cost, and what is to be kept with it.
    Within(u64, R, S),
}

/// Estimates nodes along paths.
pub(crate) trait Estimator<R>: Sync {
    /// What is kept for each node of the path.
    type Kept: Copy;

    /// No bound exceeds this.
    const MAX_BOUND: u64;

    /// The estimated total cost of the start; `None` when it is a dead end or beyond 64 bits.
    fn root(&self, row: &R) -> Option<(u64, Self::Kept)>;

    /// Looks at the child that change number `change` of the plan's lists leads to.
    fn step<K: Kernel<R>>(
        &self,
        kernel: K,
        plan: &Plan<R>,
        row: &R,
        kept: Self::Kept,
        change: usize,
        bound: u64,
    ) -> Step<R, Self::Kept>
    where
        R: HasKernels;
}

/// What a rule changes in a sum: by the value of one variable.
#[derive(Clone, Copy, Debug, Default)]
struct Delta {
    place: Place,
    /// Where the differences by value begin.
    table: u32,
}

/// A sum over the variables, with what each rule changes in it.
pub(crate) struct SumEstimator<'h, F> {
    form: &'h F,
    sums: &'h ValueSums,
    weight: Weight,
    /// By change of the plan's lists: the first difference.
    first: Vec<Delta>,
    /// By change of the plan's lists: where the other differences are.
    more: Vec<(u32, u32)>,
    others: Vec<Delta>,
    /// Differences of the estimated total, cost included in the first of each rule.
    differences: Vec<i32>,
}

/// Sums must stay far below the end of 64 bits, so that differences can be added unchecked.
const MAX_SUM: u64 = 1 << 62;

impl<'h, F: Form<Row: HasKernels>> SumEstimator<'h, F> {
    /// Prepares a sum for a plan. `None` when numbers are too large.
    pub(crate) fn new(
        form: &'h F,
        plan: &Plan<F::Row>,
        branches: &[Branch],
        domain_sizes: &[usize],
        sums: &'h ValueSums,
        weight: Weight,
    ) -> Option<Self> {
        total(weight, 0, sums.largest()).filter(|most| *most < MAX_SUM)?;
        let mut estimator = Self {
            form,
            sums,
            weight,
            first: Vec::new(),
            more: Vec::new(),
            others: Vec::new(),
            differences: Vec::new(),
        };
        let by_branch: Option<Vec<_>> = branches
            .iter()
            .map(|branch| estimator.add_branch(branch, domain_sizes))
            .collect();
        let by_branch = by_branch?;
        for branch in plan.lists.branch_by_change() {
            let (first, more) = branch.map_or_else(Default::default, |branch| {
                by_branch[branch as usize]
            });
            estimator.first.push(first);
            estimator.more.push(more);
        }
        Some(estimator)
    }

    /// Makes the tables of a rule.
    fn add_branch(
        &mut self,
        branch: &Branch,
        domain_sizes: &[usize],
    ) -> Option<(Delta, (u32, u32))> {
        let rule = &branch.canonical;
        let (n, d) = (
            i64::from(self.weight.numerator()),
            i64::from(self.weight.denominator()),
        );
        // What changes whatever the values are, and the variables whose values matter.
        let mut fixed = i64::try_from(rule.cost()).ok()?.checked_mul(d)?;
        let mut moved: Vec<(VarId, Vec<(VarId, i64)>)> = Vec::new();
        let mut touch = |var: VarId, position: VarId, sign: i64| {
            match moved.iter_mut().find(|(it, _)| *it == var) {
                Some((_, parts)) => parts.push((position, sign)),
                None => moved.push((var, vec![(position, sign)])),
            }
        };
        for (position, action) in rule.changes() {
            for (term, sign) in [(action, 1), (rule.preconditions()[position.index()], -1)] {
                match (term.as_constant(), term.as_variable()) {
                    (Some(value), _) => {
                        let number = i64::from(self.sums.number(position, value));
                        fixed = fixed.checked_add(sign * number * n)?;
                    }
                    (None, Some(var)) => touch(var, position, sign),
                    (None, None) => {}
                }
            }
        }
        let mut deltas = Vec::new();
        if moved.is_empty() {
            moved.push((VarId::from_index(0), Vec::new()));
        }
        for (i, (var, parts)) in moved.iter().enumerate() {
            let table = u32::try_from(self.differences.len()).ok()?;
            for value in 0..domain_sizes.get(var.index()).copied().unwrap_or(1) as u32 {
                let mut difference = if i == 0 { fixed } else { 0 };
                for (position, sign) in parts {
                    let number = self.sums.number(*position, psvn_ir::Value(value));
                    difference = difference.checked_add(sign * i64::from(number) * n)?;
                }
                self.differences.push(i32::try_from(difference).ok()?);
            }
            deltas.push(Delta {
                place: self.form.place(*var),
                table,
            });
        }
        let start = u32::try_from(self.others.len()).ok()?;
        self.others.extend_from_slice(&deltas[1..]);
        Some((deltas[0], (start, start + deltas.len() as u32 - 1)))
    }

    #[inline(always)]
    fn difference(&self, row: &F::Row, delta: Delta) -> i64 {
        use crate::row::Read;
        i64::from(self.differences[(delta.table + row.read(delta.place)) as usize])
    }
}

impl<F: Form<Row: HasKernels>> Estimator<F::Row> for SumEstimator<'_, F> {
    /// The estimated total cost.
    type Kept = u64;

    const MAX_BOUND: u64 = MAX_SUM;

    fn root(&self, row: &F::Row) -> Option<(u64, u64)> {
        use crate::row::Read;
        let n_variables = self.sums.n_variables();
        let numbers = (0..n_variables).map(VarId::from_index).map(|var| {
            let value = psvn_ir::Value(row.read(self.form.place(var)));
            u64::from(self.sums.number(var, value))
        });
        let total = total(self.weight, 0, numbers.sum())?;
        Some((total, total))
    }

    #[inline(always)]
    fn step<K: Kernel<F::Row>>(
        &self,
        kernel: K,
        plan: &Plan<F::Row>,
        row: &F::Row,
        kept: u64,
        change: usize,
        bound: u64,
    ) -> Step<F::Row, u64> {
        // No total exceeds the bound by more than one difference: the sum stays within 64 bits.
        let mut total = kept.wrapping_add_signed(self.difference(row, self.first[change]));
        let (start, end) = self.more[change];
        if start != end {
            for delta in &self.others[start as usize..end as usize] {
                total = total.wrapping_add_signed(self.difference(row, *delta));
            }
        }
        if total > bound {
            return Step::Beyond(total);
        }
        let (first, second) = plan.lists.changes();
        let child = kernel.change(row, &first[change], &second[change]);
        Step::Within(total, child, total)
    }
}

/// Any heuristic.
pub(crate) struct PlainEstimator<'h, F, H> {
    form: &'h F,
    heuristic: &'h H,
    weight: Weight,
    /// By change of the plan's lists.
    costs: Vec<u64>,
}

impl<'h, F: Form<Row: HasKernels>, H: Heuristic> PlainEstimator<'h, F, H> {
    /// Prepares a heuristic for a plan.
    pub(crate) fn new(
        form: &'h F,
        plan: &Plan<F::Row>,
        branches: &[Branch],
        heuristic: &'h H,
        weight: Weight,
    ) -> Self {
        let cost = |branch: Option<u32>| {
            branch.map_or(0, |branch| branches[branch as usize].canonical.cost())
        };
        Self {
            form,
            heuristic,
            weight,
            costs: plan.lists.branch_by_change().map(cost).collect(),
        }
    }
}

impl<F: Form<Row: HasKernels>, H: Heuristic> Estimator<F::Row> for PlainEstimator<'_, F, H> {
    /// The cost of the path.
    type Kept = u64;

    const MAX_BOUND: u64 = u64::MAX;

    fn root(&self, row: &F::Row) -> Option<(u64, u64)> {
        let estimate = self.form.estimate(row, self.heuristic);
        if estimate == DEAD_END {
            return None;
        }
        Some((total(self.weight, 0, estimate)?, 0))
    }

    #[inline(always)]
    fn step<K: Kernel<F::Row>>(
        &self,
        kernel: K,
        plan: &Plan<F::Row>,
        row: &F::Row,
        kept: u64,
        change: usize,
        bound: u64,
    ) -> Step<F::Row, u64> {
        let Some(cost) = kept.checked_add(self.costs[change]) else {
            return Step::Overflow;
        };
        let (first, second) = plan.lists.changes();
        let child = kernel.change(row, &first[change], &second[change]);
        let estimate = self.form.estimate(&child, self.heuristic);
        if estimate == DEAD_END {
            return Step::DeadEnd;
        }
        match total(self.weight, cost, estimate) {
            None => Step::Overflow,
            Some(total) if total > bound => Step::Beyond(total),
            Some(total) => Step::Within(total, child, cost),
        }
    }
}
