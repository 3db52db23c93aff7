//! Estimates of the cost to come, for searches by cost.

mod batch;
mod plain;

pub(crate) use plain::{PlainEstimator, Question};

use psvn_ir::VarId;

use crate::game::branches::Branch;
use crate::game::packed::{Form, Place};
use crate::heuristic::value_sums::ValueSums;
use crate::heuristic::weight::Weight;
use crate::kernel::{HasKernels, Kernel};
use crate::plan::Plan;
use crate::run::limits::StopReason;
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

    /// The children of the nodes of the path that were estimated together; `()` if each is
    /// estimated when the walk comes to it.
    type Batches: Default + Send + Sync;

    /// Return the estimated total cost of the start; `None` when it is a dead end or has more than
    /// 64 bits.
    fn root(&self, packed: &R) -> Option<(u64, Self::Kept)>;

    /// Return the tables of an [interleaved walk](crate::walk::interleaved), if one can be used.
    /// [`keep`](Self::keep) makes the data kept for its nodes.
    fn interleaved(&self) -> Option<&InterleavedTables<R>>;

    /// Return the data kept for a node of an interleaved walk with this estimated total cost.
    fn keep(total: u64) -> Self::Kept;

    /// Return the greatest number of bytes of the children of a node of the path.
    fn bytes_of_batch(&self) -> usize {
        0
    }

    /// Make room for the children of a number of nodes.
    fn reserve_batches(
        &self,
        batches: &mut Self::Batches,
        n_levels: usize,
    ) -> Result<(), StopReason> {
        let _ = (batches, n_levels);
        Ok(())
    }

    /// Begin with other children of the node at a depth of the path.
    #[inline(always)]
    fn begin_batch(&self, batches: &mut Self::Batches, depth: usize) {
        let _ = (batches, depth);
    }

    /// Estimate the child of a node by the rule at a place of its block. The bits beside the place
    /// are the places of the block that the walk comes to later.
    fn step<K: Kernel<R>>(
        &self,
        kernel: K,
        node: Expansion<'_, R, Self::Kept>,
        places: (u32, u64),
        batches: &mut Self::Batches,
    ) -> Step<R, Self::Kept>
    where
        R: HasKernels;
}

/// A node of the path that is expanded.
#[derive(Clone, Copy)]
pub(crate) struct Expansion<'w, R, S> {
    pub(crate) packed: &'w R,
    pub(crate) kept: &'w S,
    pub(crate) depth: usize,
    /// The operands of the changes of the plan's lists, and where those of the block of 64 rules
    /// begin.
    pub(crate) changes: (&'w [R], &'w [R]),
    pub(crate) first: usize,
    pub(crate) bound: u64,
}

impl<R: HasKernels, S> Expansion<'_, R, S> {
    /// Return the number of the change at a place of the block.
    #[inline(always)]
    fn change(&self, place: u32) -> usize {
        self.first + place as usize
    }

    /// Make the child at a place of the block.
    #[inline(always)]
    fn child<K: Kernel<R>>(&self, kernel: K, place: u32) -> R {
        let (firsts, seconds) = self.changes;
        let change = self.change(place);
        kernel.change(self.packed, &firsts[change], &seconds[change])
    }
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

    type Batches = ();

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
        node: Expansion<'_, R, u64>,
        (place, _): (u32, u64),
        (): &mut (),
    ) -> Step<R, u64> {
        let total = self.total(node.packed, *node.kept, self.first[node.change(place)]);
        if total > node.bound {
            return Step::Beyond(total);
        }
        Step::Within(total, node.child(kernel, place), total)
    }
}
