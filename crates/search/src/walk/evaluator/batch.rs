//! The children of a node, estimated together, so that reads of large tables overlap.
//!
//! They are estimated when the walk comes to the first of them, and taken one by one in the order
//! of the walk: so nodes are made, counted and stopped at as if each were estimated alone.

use crate::heuristic::{Estimated, Sibling};
use crate::walk::evaluator::Step;

/// The most children of a batch: the bits of a word.
const MOST_CHILDREN: usize = 64;

/// The children of a node of the path. Places are counted in a block of 64 of the plan's lists.
#[derive(Clone, Debug)]
pub(super) struct Batch<R, S> {
    /// Whether the children of the block were estimated.
    pub(super) is_ready: bool,
    /// The places of the children within the bound, of dead ends, and of those whose cost or
    /// estimated total cost doesn't fit in 64 bits.
    pub(super) within: u64,
    pub(super) dead_ends: u64,
    pub(super) overflowing: u64,
    /// By place: the estimated total cost, if it is known.
    pub(super) totals: [u64; MOST_CHILDREN],
    /// The children within the bound, by their places.
    pub(super) children: Vec<(R, S)>,
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
    pub(super) const BYTES: usize = size_of::<Self>() + MOST_CHILDREN * size_of::<(R, S)>();

    /// Forget the children.
    #[inline(always)]
    pub(super) fn begin(&mut self) {
        self.is_ready = true;
        (self.within, self.dead_ends, self.overflowing) = (0, 0, 0);
        self.children.clear();
    }

    /// Return the child at a place, as if it were estimated now.
    #[inline(always)]
    pub(super) fn step(&self, place: u32, bound: u64) -> Step<R, S> {
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

/// The batches of all levels of a path, and memory that they use in turn.
pub(crate) struct Batches<R, S> {
    pub(super) levels: Vec<Batch<R, S>>,
    pub(super) scratch: BatchScratch<R>,
}

impl<R, S> Default for Batches<R, S> {
    fn default() -> Self {
        Self {
            levels: Vec::new(),
            scratch: BatchScratch {
                siblings: Vec::new(),
                places: Vec::new(),
                rejected: Vec::new(),
                children: Vec::new(),
                states: Vec::new(),
                estimated: Vec::new(),
            },
        }
    }
}

/// What the children of one batch need while they are estimated.
pub(super) struct BatchScratch<R> {
    /// The children in question and their places.
    pub(super) siblings: Vec<Sibling>,
    pub(super) places: Vec<u8>,
    pub(super) rejected: Vec<Option<u64>>,
    pub(super) children: Vec<R>,
    /// Their cells, one child after the other.
    pub(super) states: Vec<u8>,
    pub(super) estimated: Vec<Estimated>,
}
