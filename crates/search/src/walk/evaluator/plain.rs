//! Estimates by any heuristic.

use psvn_ir::RuleId;

use crate::game::branches::Branch;
use crate::game::packed::Form;
use crate::heuristic::memo::Memo;
use crate::heuristic::weight::Weight;
use crate::heuristic::{DEAD_END, Estimated, Heuristic, PathNode, Sibling};
use crate::kernel::{HasKernels, Kernel};
use crate::plan::Plan;
use crate::run::limits::StopReason;
use crate::walk::evaluator::batch::{Batch, Batches};
use crate::walk::evaluator::{Estimator, Expansion, Step, total};
use crate::walk::interleaved::InterleavedTables;
use crate::walk::stack;

/// Any heuristic.
pub(crate) struct PlainEstimator<'h, F> {
    form: &'h F,
    heuristic: &'h dyn Heuristic,
    weight: Weight,
    /// Whether the heuristic gets the cutoff above which a child is left out.
    has_cutoff: bool,
    /// Whether it may leave a child out before the child's state is made.
    has_rejection: bool,
    has_batches: bool,
    /// By change of the plan's lists: the rule, and its cost.
    rules: Vec<(RuleId, u64)>,
}

/// How a search asks a heuristic.
#[derive(Clone, Copy)]
pub(crate) struct Question<'h> {
    pub(crate) heuristic: &'h dyn Heuristic,
    pub(crate) weight: Weight,
    /// Whether estimates are as large as possible even where a smaller one is enough to leave a
    /// child out.
    pub(crate) is_exact: bool,
    /// The heuristic's rule for each of the game's rules, if those are other ones.
    pub(crate) rules: Option<&'h [RuleId]>,
}

impl<'h, F: Form<Packed: HasKernels>> PlainEstimator<'h, F> {
    /// Prepare a heuristic for a plan.
    pub(crate) fn new(
        form: &'h F,
        plan: &Plan<F::Packed>,
        branches: &[Branch],
        question: Question<'h>,
    ) -> Self {
        let Question {
            heuristic,
            weight,
            is_exact,
            rules,
        } = question;
        let properties = heuristic.properties();
        // With a weight the cutoff would be a different number.
        let has_cutoff = weight == Weight::ONE && !is_exact;
        let rule = |branch: Option<u32>| {
            branch.map_or((RuleId(0), 0), |branch| {
                let branch = &branches[branch as usize];
                let own = RuleId(branch.rule);
                let rule = rules.map_or(own, |rules| rules[own.index()]);
                (rule, branch.canonical.cost())
            })
        };
        let by_change = plan.graph.lists.branch_by_change();
        Self {
            form,
            heuristic,
            weight,
            has_cutoff,
            has_rejection: has_cutoff && properties.has_rejection,
            has_batches: properties.has_batches,
            rules: by_change.into_iter().map(rule).collect(),
        }
    }

    /// Return the greatest estimate with which a child at path cost `cost` is kept.
    #[inline(always)]
    fn cutoff(&self, bound: u64, cost: u64) -> u64 {
        if self.has_cutoff {
            bound.saturating_sub(cost)
        } else {
            u64::MAX
        }
    }

    /// Return the evaluation of a child by its cost and estimate.
    #[inline(always)]
    fn judge<R>(&self, cost: u64, estimated: &Estimated, bound: u64, child: R) -> Step<R, Kept> {
        if estimated.estimate == DEAD_END {
            return Step::DeadEnd;
        }
        match total(self.weight, cost, estimated.estimate) {
            None => Step::Overflow,
            Some(total) if total > bound => Step::Beyond(total),
            Some(total) => Step::Within(total, child, (cost, estimated.memo)),
        }
    }

    /// Estimate one child.
    #[inline(always)]
    fn alone<K: Kernel<F::Packed>>(
        &self,
        kernel: K,
        node: Expansion<'_, F::Packed, Kept>,
        place: u32,
    ) -> Step<F::Packed, Kept> {
        let (rule, rule_cost) = self.rules[node.change(place)];
        let (cost_before, memo) = node.kept;
        let Some(cost) = cost_before.checked_add(rule_cost) else {
            return Step::Overflow;
        };
        let cutoff = self.cutoff(node.bound, cost);
        let sibling = [Sibling { rule, cutoff }];
        if self.has_rejection {
            let mut rejected = [None];
            self.heuristic.reject(memo, &sibling, &mut rejected);
            match rejected {
                [Some(DEAD_END)] => return Step::DeadEnd,
                [Some(estimate)] => {
                    return total(self.weight, cost, estimate).map_or(Step::Overflow, Step::Beyond);
                }
                [None] => {}
            }
        }
        let child = node.child(kernel, place);
        let (mut parent_cells, mut child_cells) = ([0; _], [0; _]);
        let parent = PathNode {
            state: self.form.cells(node.packed, &mut parent_cells),
            memo,
        };
        let state = self.form.cells(&child, &mut child_cells);
        let mut estimated = [Estimated::default()];
        self.heuristic
            .children(parent, &sibling, state, &mut estimated);
        self.judge(cost, &estimated[0], node.bound, child)
    }

    /// Note the evaluation of a child of a batch.
    fn settle(&self, batch: &mut Batch<F::Packed, Kept>, place: u8, step: Step<F::Packed, Kept>) {
        let bit = 1_u64 << place;
        match step {
            Step::DeadEnd => batch.dead_ends |= bit,
            Step::Overflow => batch.overflowing |= bit,
            Step::Beyond(total) => batch.totals[usize::from(place)] = total,
            Step::Within(total, child, kept) => {
                batch.totals[usize::from(place)] = total;
                batch.within |= bit;
                batch.children.push((child, kept));
            }
        }
    }

    /// List the children that `places` names and that the node's memo doesn't leave out.
    #[inline(never)]
    fn list(
        &self,
        node: &Expansion<'_, F::Packed, Kept>,
        mut places: u64,
        depth: usize,
        batches: &mut Batches<F::Packed, Kept>,
    ) {
        let Batches { levels, scratch } = batches;
        let batch = &mut levels[depth];
        scratch.siblings.clear();
        scratch.places.clear();
        while places != 0 {
            let place = places.trailing_zeros();
            places &= places - 1;
            let (rule, rule_cost) = self.rules[node.change(place)];
            match node.kept.0.checked_add(rule_cost) {
                None => batch.overflowing |= 1 << place,
                Some(cost) => {
                    let cutoff = self.cutoff(node.bound, cost);
                    scratch.siblings.push(Sibling { rule, cutoff });
                    scratch.places.push(place as u8);
                }
            }
        }
        if !self.has_rejection {
            return;
        }
        scratch.rejected.clear();
        scratch.rejected.resize(scratch.siblings.len(), None);
        self.heuristic
            .reject(&node.kept.1, &scratch.siblings, &mut scratch.rejected);
        let mut n_left = 0;
        for number in 0..scratch.siblings.len() {
            let (sibling, place) = (scratch.siblings[number], scratch.places[number]);
            if let Some(estimate) = scratch.rejected[number] {
                let cost = node.kept.0 + self.rules[node.change(u32::from(place))].1;
                if estimate == DEAD_END {
                    batch.dead_ends |= 1 << place;
                } else if let Some(total) = total(self.weight, cost, estimate) {
                    batch.totals[usize::from(place)] = total;
                } else {
                    batch.overflowing |= 1 << place;
                }
            } else {
                scratch.siblings[n_left] = sibling;
                scratch.places[n_left] = place;
                n_left += 1;
            }
        }
        scratch.siblings.truncate(n_left);
        scratch.places.truncate(n_left);
    }

    /// Estimate the children that are listed, whose states are made now, and keep those within the
    /// bound.
    #[inline(never)]
    fn estimate_listed(
        &self,
        node: &Expansion<'_, F::Packed, Kept>,
        depth: usize,
        batches: &mut Batches<F::Packed, Kept>,
    ) {
        let Batches { levels, scratch } = batches;
        let mut buffer = [0; _];
        scratch.states.clear();
        for child in &scratch.children {
            let cells = self.form.cells(child, &mut buffer);
            scratch.states.extend_from_slice(cells);
        }
        let n = scratch.siblings.len();
        let estimated = &mut scratch.estimated;
        estimated.resize(estimated.len().max(n), Estimated::default());
        let parent = PathNode {
            state: self.form.cells(node.packed, &mut buffer),
            memo: &node.kept.1,
        };
        let estimated = &mut estimated[..n];
        self.heuristic
            .children(parent, &scratch.siblings, &scratch.states, estimated);
        let listed = scratch.places.iter().zip(&scratch.children);
        for ((place, child), estimated) in listed.zip(estimated) {
            let cost = node.kept.0 + self.rules[node.change(u32::from(*place))].1;
            let step = self.judge(cost, estimated, node.bound, *child);
            self.settle(&mut levels[depth], *place, step);
        }
    }
}

/// The cost of the path, and the heuristic's memo.
type Kept = (u64, Memo);

impl<F: Form<Packed: HasKernels>> Estimator<F::Packed> for PlainEstimator<'_, F> {
    type Kept = Kept;

    const MAX_BOUND: u64 = u64::MAX;
    const INTERLEAVES: bool = false;

    type Batches = Batches<F::Packed, Kept>;

    fn root(&self, packed: &F::Packed) -> Option<(u64, Kept)> {
        let mut memo = Memo::default();
        let mut cells = [0; _];
        let cells = self.form.cells(packed, &mut cells);
        let estimate = self.heuristic.start(cells, &mut memo);
        if estimate == DEAD_END {
            return None;
        }
        Some((total(self.weight, 0, estimate)?, (0, memo)))
    }

    fn keep(_total: u64) -> Kept {
        Kept::default()
    }

    fn interleaved(&self) -> Option<&InterleavedTables<F::Packed>> {
        None
    }

    fn bytes_of_batch(&self) -> usize {
        if self.has_batches {
            Batch::<F::Packed, Kept>::BYTES
        } else {
            0
        }
    }

    fn reserve_batches(
        &self,
        batches: &mut Self::Batches,
        n_levels: usize,
    ) -> Result<(), StopReason> {
        if self.has_batches {
            stack::resize(&mut batches.levels, n_levels, Batch::default())?;
        }
        Ok(())
    }

    #[inline(always)]
    fn begin_batch(&self, batches: &mut Self::Batches, depth: usize) {
        if self.has_batches {
            batches.levels[depth].is_ready = false;
        }
    }

    #[inline(always)]
    fn step<K: Kernel<F::Packed>>(
        &self,
        kernel: K,
        node: Expansion<'_, F::Packed, Kept>,
        (place, left): (u32, u64),
        batches: &mut Self::Batches,
    ) -> Step<F::Packed, Kept> {
        if !self.has_batches {
            return self.alone(kernel, node, place);
        }
        let depth = node.depth;
        if !batches.levels[depth].is_ready {
            batches.levels[depth].begin();
            self.list(&node, left | 1 << place, depth, batches);
            // Only this needs the kernel.
            let scratch = &mut batches.scratch;
            scratch.children.clear();
            for place in &scratch.places {
                scratch.children.push(node.child(kernel, u32::from(*place)));
            }
            if !scratch.places.is_empty() {
                self.estimate_listed(&node, depth, batches);
            }
        }
        batches.levels[depth].step(place, node.bound)
    }
}
