//! Estimates of the cost to come, for searches by cost.

pub(crate) mod batch;

use psvn_ir::{RuleId, VarId};

use crate::game::branches::Branch;
use crate::game::packed::{Form, Place};
use crate::heuristic::erased::{AnyHeuristic, Memo};
use crate::heuristic::value_sums::ValueSums;
use crate::heuristic::weight::Weight;
use crate::heuristic::{DEAD_END, Sibling};
use crate::kernel::{HasKernels, Kernel};
use crate::plan::Plan;
use crate::walk::evaluator::batch::{Batch, BatchScratch, Expansion};
use crate::walk::interleaved::{InterleavedTables, OneValue};

/// g + w h in parts of the weight's denominator; `None` if it has more than 64 bits.
#[inline(always)]
fn total(weight: Weight, g: u64, h: u64) -> Option<u64> {
    u64::try_from(weight.total(g, h)).ok()
}

/// The evaluation of a child.
pub(crate) enum Step<R, S> {
    /// No goal is reachable from it.
    DeadEnd,
    /// Its estimated total cost, or its cost, doesn't fit in 64 bits.
    Overflow,
    /// Its estimated total cost is beyond the bound.
    Beyond(u64),
    /// It is within the bound: its estimated total cost, its state, and the data to keep for it.
    Within(u64, R, S),
}

/// Estimates nodes along paths.
pub(crate) trait Estimator<R>: Sync {
    /// The data kept for each node of the path.
    type Kept: Copy + Default + Send + Sync;

    /// The greatest bound.
    const MAX_BOUND: u64;

    /// Whether there may be an [interleaved walk](Self::interleaved).
    const INTERLEAVES: bool;

    /// Whether [batches](Self::has_batches) are possible.
    const HAS_BATCHES: bool;

    /// Return the estimated total cost of the start; `None` when it is a dead end or has more than
    /// 64 bits.
    fn root(&self, packed: &R) -> Option<(u64, Self::Kept)>;

    /// Return the tables of an [interleaved walk](crate::walk::interleaved), if one can be used.
    /// [`keep`](Self::keep) makes the data kept for its nodes.
    fn interleaved(&self) -> Option<&InterleavedTables<R>>;

    /// Return the data kept for a node of an interleaved walk with this estimated total cost.
    fn keep(total: u64) -> Self::Kept;

    /// Prefetch hint: the children of the node with this kept data are about to be estimated, those
    /// whose bits are set, counted from `first` in the plan's lists.
    #[inline(always)]
    fn prefetch(&self, kept: &Self::Kept, first: usize, bits: u64) {
        let _ = (kept, first, bits);
    }

    /// Return whether the children of a node are better estimated together.
    #[inline(always)]
    fn has_batches(&self) -> bool {
        false
    }

    /// Begin a batch: leave out the children that the node's kept data are enough to leave out, and
    /// list the places of the others.
    #[inline(always)]
    fn begin_batch(
        &self,
        node: &Expansion<'_, R, Self::Kept>,
        batch: &mut Batch<R, Self::Kept>,
        scratch: &mut BatchScratch,
    ) {
        let _ = (node, batch, scratch);
    }

    /// Estimate the children of a batch, whose states are made now, and keep those within the
    /// bound.
    #[inline(always)]
    fn finish_batch(
        &self,
        node: &Expansion<'_, R, Self::Kept>,
        batch: &mut Batch<R, Self::Kept>,
        scratch: &mut BatchScratch,
    ) {
        let _ = (node, batch, scratch);
    }

    /// Estimate the child that a change leads to, the one at `place` in the plan's lists.
    fn step<K: Kernel<R>>(
        &self,
        kernel: K,
        change: (&R, &R),
        packed: &R,
        kept: &Self::Kept,
        place: usize,
        bound: u64,
    ) -> Step<R, Self::Kept>
    where
        R: HasKernels;
}

/// The change that a rule makes to a sum: by the value of one variable.
#[derive(Clone, Copy, Debug, Default)]
struct Delta {
    place: Place,
    /// The place of the differences by value, and their number.
    table: u32,
    n_values: u32,
    /// The place of the rule's further differences, and their number.
    others: u32,
    n_others: u32,
}

/// A sum over the variables, with the change that each rule makes to it.
///
/// It holds all the data that it needs and takes time to make, so searches keep it.
pub(crate) struct SumEstimator<R> {
    /// By variable.
    places: Vec<Place>,
    sums: ValueSums,
    weight: Weight,
    /// By change of the plan's lists: the first difference.
    first: Vec<Delta>,
    /// The other differences.
    others: Vec<Delta>,
    /// Differences of the estimated total, cost included in the first of each rule.
    differences: Vec<i32>,
    /// By difference: whether it can occur.
    possible: Vec<bool>,
    interleaved: Option<InterleavedTables<R>>,
}

/// The greatest sum, far below the maximum of 64 bits, so that differences can be added unchecked.
const MAX_SUM: u64 = 1 << 62;

impl<R: HasKernels> SumEstimator<R> {
    /// Prepare a sum for a plan. `None` when numbers are too large.
    pub(crate) fn new<F: Form<Packed = R>>(
        form: &F,
        plan: &Plan<R>,
        branches: &[Branch],
        domain_sizes: &[usize],
        sums: &ValueSums,
        weight: Weight,
    ) -> Option<Self> {
        total(weight, 0, sums.largest()).filter(|most| *most < MAX_SUM)?;
        let mut estimator = Self {
            places: (0..sums.n_variables())
                .map(|var| form.place(VarId::from_index(var)))
                .collect(),
            sums: sums.clone(),
            weight,
            first: Vec::new(),
            others: Vec::new(),
            differences: Vec::new(),
            possible: Vec::new(),
            interleaved: None,
        };
        let by_branch: Option<Vec<_>> = (0..)
            .zip(branches)
            .map(|(number, branch)| {
                let allows = |var, value| plan.impossible.allows(number, var, value);
                estimator.add_branch(branch, domain_sizes, allows)
            })
            .collect();
        let by_branch = by_branch?;
        for branch in plan.graph.lists.branch_by_change() {
            let first = branch.map_or_else(Delta::default, |branch| by_branch[branch as usize]);
            estimator.first.push(first);
        }
        estimator.interleaved = InterleavedTables::new(plan, branches.len(), |branch| {
            let delta: &Delta = &by_branch[branch];
            let (first, n) = (delta.table as usize, delta.n_values as usize);
            (delta.n_others == 0).then(|| OneValue {
                byte: delta.place.index,
                differences: &estimator.differences[first..][..n],
                possible: &estimator.possible[first..][..n],
            })
        });
        Some(estimator)
    }

    /// Make the tables of a rule.
    fn add_branch(
        &mut self,
        branch: &Branch,
        domain_sizes: &[usize],
        allows: impl Fn(VarId, psvn_ir::Value) -> bool,
    ) -> Option<Delta> {
        let rule = &branch.canonical;
        let (n, d) = (
            i64::from(self.weight.numerator()),
            i64::from(self.weight.denominator()),
        );
        // The change that doesn't depend on values, and the variables whose values matter.
        let mut fixed = i64::try_from(rule.cost()).ok()?.checked_mul(d)?;
        let mut moved: Vec<(VarId, Vec<(VarId, i64)>)> = Vec::new();
        let mut touch = |var: VarId, position: VarId, sign: i64| match moved
            .iter_mut()
            .find(|(it, _)| *it == var)
        {
            Some((_, parts)) => parts.push((position, sign)),
            None => moved.push((var, vec![(position, sign)])),
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
            let n_values = domain_sizes.get(var.index()).copied().unwrap_or(1) as u32;
            for value in 0..n_values {
                let mut difference = if i == 0 { fixed } else { 0 };
                for (position, sign) in parts {
                    let number = self.sums.number(*position, psvn_ir::Value(value));
                    difference = difference.checked_add(sign * i64::from(number) * n)?;
                }
                self.differences.push(i32::try_from(difference).ok()?);
                self.possible.push(allows(*var, psvn_ir::Value(value)));
            }
            deltas.push(Delta {
                place: self.places[var.index()],
                table,
                n_values,
                others: 0,
                n_others: 0,
            });
        }
        let others = u32::try_from(self.others.len()).ok()?;
        self.others.extend_from_slice(&deltas[1..]);
        Some(Delta {
            others,
            n_others: deltas.len() as u32 - 1,
            ..deltas[0]
        })
    }

    #[inline(always)]
    fn difference(&self, packed: &R, delta: Delta) -> i64 {
        i64::from(self.differences[(delta.table + packed.read(delta.place)) as usize])
    }

    /// Return the estimated total cost of a child.
    #[inline(always)]
    fn total(&self, packed: &R, kept: u64, delta: Delta) -> u64 {
        // No total exceeds the bound by more than one difference: the sum stays within 64 bits.
        let mut total = kept.wrapping_add_signed(self.difference(packed, delta));
        if delta.n_others > 0 {
            for other in &self.others[delta.others as usize..][..delta.n_others as usize] {
                total = total.wrapping_add_signed(self.difference(packed, *other));
            }
        }
        total
    }
}

impl<R: HasKernels> Estimator<R> for SumEstimator<R> {
    /// The estimated total cost.
    type Kept = u64;

    const MAX_BOUND: u64 = MAX_SUM;
    const INTERLEAVES: bool = true;
    const HAS_BATCHES: bool = false;

    fn root(&self, packed: &R) -> Option<(u64, u64)> {
        let places = self.places.iter().enumerate();
        let numbers = places.map(|(var, place)| {
            let value = psvn_ir::Value(packed.read(*place));
            u64::from(self.sums.number(VarId::from_index(var), value))
        });
        let total = total(self.weight, 0, numbers.sum())?;
        Some((total, total))
    }

    fn keep(total: u64) -> u64 {
        total
    }

    fn interleaved(&self) -> Option<&InterleavedTables<R>> {
        self.interleaved.as_ref()
    }

    #[inline(always)]
    fn step<K: Kernel<R>>(
        &self,
        kernel: K,
        change: (&R, &R),
        packed: &R,
        kept: &u64,
        place: usize,
        bound: u64,
    ) -> Step<R, u64> {
        let total = self.total(packed, *kept, self.first[place]);
        if total > bound {
            return Step::Beyond(total);
        }
        let child = kernel.change(packed, change.0, change.1);
        Step::Within(total, child, total)
    }
}

/// Return rule and cost of each change, given its branch.
fn rules_by_change(branch_by_change: Vec<Option<u32>>, branches: &[Branch]) -> Vec<(RuleId, u64)> {
    let rule = |branch: Option<u32>| {
        branch.map_or((RuleId(0), 0), |branch| {
            let branch = &branches[branch as usize];
            (RuleId(branch.rule), branch.canonical.cost())
        })
    };
    branch_by_change.into_iter().map(rule).collect()
}

/// Any heuristic.
pub(crate) struct PlainEstimator<'h, F> {
    form: &'h F,
    heuristic: &'h dyn AnyHeuristic,
    weight: Weight,
    /// Whether the heuristic gets the cutoff above which a child is left out.
    has_cutoff: bool,
    /// Whether it may leave a child out before the child's state is made.
    has_rejection: bool,
    has_prefetch: bool,
    has_batches: bool,
    /// By change of the plan's lists: the rule, and its cost.
    rules: Vec<(RuleId, u64)>,
}

impl<'h, F: Form<Packed: HasKernels>> PlainEstimator<'h, F> {
    /// Prepare a heuristic for a plan. With `exact`, estimates are as large as possible even where
    /// a smaller one is enough to leave a child out.
    pub(crate) fn new(
        form: &'h F,
        plan: &Plan<F::Packed>,
        branches: &[Branch],
        heuristic: &'h dyn AnyHeuristic,
        weight: Weight,
        exact: bool,
    ) -> Self {
        Self {
            form,
            heuristic,
            weight,
            // With a weight the cut-off would be a different number.
            has_cutoff: weight == Weight::ONE && !exact,
            has_rejection: weight == Weight::ONE && !exact && heuristic.has_rejection(),
            has_prefetch: heuristic.has_prefetch(),
            has_batches: weight == Weight::ONE && !exact && heuristic.has_batches(),
            rules: rules_by_change(plan.graph.lists.branch_by_change(), branches),
        }
    }
}

impl<F: Form<Packed: HasKernels>> PlainEstimator<'_, F> {
    /// Note the estimate of a child of a batch, and return whether it is within the bound.
    #[inline(always)]
    fn settle<R, S>(
        &self,
        batch: &mut Batch<R, S>,
        place: u8,
        (cost, bound): (u64, u64),
        estimate: u64,
    ) -> bool {
        let bit = 1_u64 << place;
        if estimate == DEAD_END {
            batch.dead_ends |= bit;
            return false;
        }
        let Some(total) = total(self.weight, cost, estimate) else {
            batch.overflowing |= bit;
            return false;
        };
        batch.totals[usize::from(place)] = total;
        if total <= bound {
            batch.within |= bit;
        }
        total <= bound
    }
}

impl<F: Form<Packed: HasKernels>> Estimator<F::Packed> for PlainEstimator<'_, F> {
    /// The cost of the path, and the heuristic's memo.
    type Kept = (u64, Memo);

    const MAX_BOUND: u64 = u64::MAX;
    const INTERLEAVES: bool = false;
    const HAS_BATCHES: bool = true;

    fn root(&self, packed: &F::Packed) -> Option<(u64, Self::Kept)> {
        let mut memo = Memo::default();
        let mut cells = [0; _];
        let cells = self.form.cells(packed, &mut cells);
        let estimate = self.heuristic.start(cells, &mut memo);
        if estimate == DEAD_END {
            return None;
        }
        Some((total(self.weight, 0, estimate)?, (0, memo)))
    }

    fn keep(_total: u64) -> Self::Kept {
        Self::Kept::default()
    }

    #[inline(always)]
    fn prefetch(&self, kept: &Self::Kept, first: usize, mut bits: u64) {
        if !self.has_prefetch {
            return;
        }
        while bits != 0 {
            let place = first + bits.trailing_zeros() as usize;
            bits &= bits - 1;
            self.heuristic.prefetch(self.rules[place].0, &kept.1);
        }
    }

    fn interleaved(&self) -> Option<&InterleavedTables<F::Packed>> {
        None
    }

    #[inline(always)]
    fn has_batches(&self) -> bool {
        self.has_batches
    }

    #[inline(never)]
    fn begin_batch(
        &self,
        node: &Expansion<'_, F::Packed, Self::Kept>,
        batch: &mut Batch<F::Packed, Self::Kept>,
        scratch: &mut BatchScratch,
    ) {
        scratch.siblings.clear();
        scratch.places.clear();
        let mut bits = node.bits;
        while bits != 0 {
            let place = bits.trailing_zeros();
            bits &= bits - 1;
            let (rule, rule_cost) = self.rules[node.first + place as usize];
            match node.kept.0.checked_add(rule_cost) {
                None => batch.overflowing |= 1 << place,
                Some(cost) => {
                    let cutoff = node.bound.saturating_sub(cost);
                    scratch.siblings.push(Sibling { rule, cutoff });
                    scratch.places.push(place as u8);
                }
            }
        }
        if !self.has_rejection {
            return;
        }
        let found = &mut scratch.found;
        found.clear();
        found.resize(scratch.siblings.len(), None);
        self.heuristic
            .rejects_all(&scratch.siblings, &node.kept.1, found);
        let mut n_left = 0;
        for number in 0..scratch.siblings.len() {
            let (sibling, place) = (scratch.siblings[number], scratch.places[number]);
            if let Some(estimate) = scratch.found[number] {
                let cost = node.kept.0 + self.rules[node.first + usize::from(place)].1;
                self.settle(batch, place, (cost, node.bound), estimate);
            } else {
                scratch.siblings[n_left] = sibling;
                scratch.places[n_left] = place;
                n_left += 1;
            }
        }
        scratch.siblings.truncate(n_left);
        scratch.places.truncate(n_left);
    }

    #[inline(never)]
    fn finish_batch(
        &self,
        node: &Expansion<'_, F::Packed, Self::Kept>,
        batch: &mut Batch<F::Packed, Self::Kept>,
        scratch: &mut BatchScratch,
    ) {
        let mut buffer = [0; _];
        scratch.states.clear();
        for (child, _) in &batch.children {
            let cells = self.form.cells(child, &mut buffer);
            scratch.states.extend_from_slice(cells);
        }
        let estimates = &mut scratch.estimates;
        estimates.resize(estimates.len().max(scratch.siblings.len()), <_>::default());
        let parent = self.form.cells(node.packed, &mut buffer);
        self.heuristic.children_bounded(
            &scratch.siblings,
            parent,
            &node.kept.1,
            &scratch.states,
            estimates,
        );
        let mut n_within = 0;
        for (number, place) in scratch.places.iter().enumerate() {
            let (rule, (estimate, memo)) = (node.first + usize::from(*place), estimates[number]);
            let cost = node.kept.0 + self.rules[rule].1;
            if self.settle(batch, *place, (cost, node.bound), estimate) {
                batch.children[n_within] = (batch.children[number].0, (cost, memo));
                n_within += 1;
            }
        }
        batch.children.truncate(n_within);
    }

    #[inline(always)]
    fn step<K: Kernel<F::Packed>>(
        &self,
        kernel: K,
        change: (&F::Packed, &F::Packed),
        packed: &F::Packed,
        kept: &Self::Kept,
        place: usize,
        bound: u64,
    ) -> Step<F::Packed, Self::Kept> {
        let (rule, rule_cost) = self.rules[place];
        let Some(cost) = kept.0.checked_add(rule_cost) else {
            return Step::Overflow;
        };
        if self.has_rejection {
            let cutoff = bound.saturating_sub(cost);
            if let Some(estimate) = self.heuristic.rejects(rule, &kept.1, cutoff) {
                if estimate == DEAD_END {
                    return Step::DeadEnd;
                }
                return total(self.weight, cost, estimate).map_or(Step::Overflow, Step::Beyond);
            }
        }
        let child = kernel.change(packed, change.0, change.1);
        let (mut parent_cells, mut child_cells) = ([0; _], [0; _]);
        let mut memo = Memo::default();
        let cells = (
            self.form.cells(packed, &mut parent_cells),
            self.form.cells(&child, &mut child_cells),
        );
        let cutoff = if self.has_cutoff {
            bound.saturating_sub(cost)
        } else {
            u64::MAX
        };
        let estimate = self
            .heuristic
            .child_bounded(rule, cells, &kept.1, cutoff, &mut memo);
        if estimate == DEAD_END {
            return Step::DeadEnd;
        }
        match total(self.weight, cost, estimate) {
            None => Step::Overflow,
            Some(total) if total > bound => Step::Beyond(total),
            Some(total) => Step::Within(total, child, (cost, memo)),
        }
    }
}
