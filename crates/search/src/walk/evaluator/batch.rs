//! The children of a node, estimated together, so that reads of large tables overlap.
//!
//! They are estimated when their parent is expanded, and taken one by one in the order of the walk:
//! so nodes are made, counted and stopped at as if each were estimated alone.

use crate::heuristic::Sibling;
use crate::heuristic::erased::Memo;
use crate::kernel::{HasKernels, Kernel};
use crate::walk::evaluator::{Estimator, Step};

/// The most children of a batch: the bits of a word.
pub(crate) const MOST_CHILDREN: usize = 64;

/// The children of a node of the path. Places are counted in a block of 64 of the plan's lists.
#[derive(Clone, Debug)]
pub(crate) struct Batch<R, S> {
    /// Whether the children of the block were estimated.
    pub(crate) is_ready: bool,
    /// The places of the children within the bound, of dead ends, and of those whose cost or
    /// estimated total cost doesn't fit in 64 bits.
    pub(crate) within: u64,
    pub(crate) dead_ends: u64,
    pub(crate) overflowing: u64,
    /// By place: the estimated total cost, if it is known.
    pub(crate) totals: [u64; MOST_CHILDREN],
    /// The children within the bound, by their places.
    pub(crate) children: Vec<(R, S)>,
}

impl<R, S> Default for Batch<R, S> {
    fn default() -> Self {
        Self {
            is_ready: false,
            within: 0,
            dead_ends: 0,
            overflowing: 0,
            totals: [0; MOST_CHILDREN],
            children: Vec::new(),
        }
    }
}

impl<R: Copy, S: Copy> Batch<R, S> {
    /// The greatest number of bytes of a batch.
    pub(crate) const BYTES: usize = size_of::<Self>() + MOST_CHILDREN * size_of::<(R, S)>();

    /// Return the child at a place, as if it were estimated now.
    #[inline(always)]
    pub(crate) fn step(&self, place: u32, bound: u64) -> Step<R, S> {
        let bit = 1_u64 << place;
        let total = self.totals[place as usize % MOST_CHILDREN];
        if self.within & bit != 0 {
            // The bound may be lower than when the children were estimated.
            if total > bound {
                return Step::Beyond(total);
            }
            let before = (self.within & (bit - 1)).count_ones() as usize;
            let (packed, kept) = self.children[before];
            return Step::Within(total, packed, kept);
        }
        if self.dead_ends & bit != 0 {
            return Step::DeadEnd;
        }
        match self.overflowing & bit {
            0 => Step::Beyond(total),
            _ => Step::Overflow,
        }
    }
}

/// Memory that the batches of all levels of a path use in turn.
#[derive(Debug, Default)]
pub(crate) struct BatchScratch {
    /// The children in question and their places.
    pub(super) siblings: Vec<Sibling>,
    pub(super) places: Vec<u8>,
    pub(super) found: Vec<Option<u64>>,
    /// Their cells, one child after the other.
    pub(super) states: Vec<u8>,
    pub(super) estimates: Vec<(u64, Memo)>,
}

/// A node that is expanded, with its batch.
pub(crate) struct Expansion<'w, R, S> {
    pub(crate) packed: &'w R,
    pub(crate) kept: &'w S,
    /// The operands of the changes of the plan's lists, and where those of the block begin.
    pub(crate) changes: (&'w [R], &'w [R]),
    pub(crate) first: usize,
    /// The places of the rules that are applicable.
    pub(crate) bits: u64,
    pub(crate) bound: u64,
}

impl<R: HasKernels, S: Copy> Expansion<'_, R, S> {
    /// Estimate the children.
    #[inline(always)]
    pub(crate) fn run<K: Kernel<R>, E: Estimator<R, Kept = S>>(
        &self,
        kernel: K,
        estimator: &E,
        batch: &mut Batch<R, S>,
        scratch: &mut BatchScratch,
    ) {
        batch.is_ready = true;
        (batch.within, batch.dead_ends, batch.overflowing) = (0, 0, 0);
        batch.children.clear();
        estimator.begin_batch(self, batch, scratch);
        // Only this needs the kernel.
        let (firsts, seconds) = self.changes;
        for place in &scratch.places {
            let change = self.first + usize::from(*place);
            let child = kernel.change(self.packed, &firsts[change], &seconds[change]);
            batch.children.push((child, *self.kept));
        }
        if !batch.children.is_empty() {
            estimator.finish_batch(self, batch, scratch);
        }
    }
}
