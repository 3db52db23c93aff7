//! Expanded nodes of an interleaved walk, with those of their heirs that are still to be visited.

use crate::kernel::HasKernels;
use crate::kernel::ahead::{Lanes, N_LANES};

/// The number of levels of an interleaved walk, each of which is one or two rules deep.
pub(super) const N_LEVELS: usize = 512;

/// A node that was expanded.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Expanded<R> {
    /// By heir: the excess of its estimated total cost over the bound, less one, so that it is
    /// negative within the bound.
    pub(super) excesses: Lanes,
    pub(super) packed: R,
    /// A bit for each heir that is within the bound and still to be visited. Not 0 in a stream.
    pub(super) heirs: u32,
    /// The place of the row of its plan state, in bytes.
    pub(super) row: u32,
    /// The number of levels above it.
    pub(super) depth: u32,
}

/// The choice of an heir: the place of the row of the node above, which is a multiple of 64, and
/// the number of the heir in the lowest bits.
pub(super) type Choice = u32;

/// Return the choice of an heir.
#[inline(always)]
pub(super) fn choice(row: u32, heir: u32) -> Choice {
    row | heir
}

/// Return the place of the row, and the number of the heir.
pub(super) fn row_and_heir(choice: Choice) -> (u32, usize) {
    let heir = choice as usize % N_LANES;
    (choice - heir as u32, heir)
}

/// A depth-first walk: a stack of expanded nodes, of which the top one has the next node as its
/// first heir, and the path to it.
pub(super) struct Stream<R> {
    /// Room for one node for each level, and one more.
    pub(super) nodes: Box<[Expanded<R>]>,
    /// By depth.
    pub(super) way: Box<[Choice; N_LEVELS]>,
    /// The nodes from `bottom` to below `top` are on the stack.
    pub(super) bottom: usize,
    pub(super) top: usize,
}

impl<R: HasKernels> Stream<R> {
    pub(super) fn new() -> Self {
        let empty = Expanded {
            excesses: Lanes::of(0),
            packed: R::zeroed(),
            heirs: 0,
            row: 0,
            depth: 0,
        };
        Self {
            nodes: vec![empty; N_LEVELS + 1].into(),
            way: Box::new([0; N_LEVELS]),
            bottom: 0,
            top: 0,
        }
    }

    /// Restart with one node, if it has heirs.
    pub(super) fn start(&mut self, node: Expanded<R>) {
        self.nodes[0] = node;
        (self.bottom, self.top) = (0, usize::from(node.heirs != 0));
    }

    pub(super) fn clear(&mut self) {
        (self.bottom, self.top) = (0, 0);
    }

    /// Return the nodes with heirs that are to be visited, the one to be continued last at the end.
    #[inline]
    pub(super) fn pending(&self) -> &[Expanded<R>] {
        &self.nodes[self.bottom..self.top]
    }

    /// Return whether nothing is left to be visited.
    pub(super) fn is_empty(&self) -> bool {
        self.top == self.bottom
    }

    /// Return whether several subtrees are left to be visited.
    #[inline]
    pub(super) fn has_several(&self) -> bool {
        match self.pending() {
            [] => false,
            [one] => !one.heirs.is_power_of_two(),
            _ => true,
        }
    }

    /// Return the number of steps that can be made before a node may be too deep.
    #[inline]
    pub(super) fn room(&self) -> usize {
        let last = self.pending().last();
        last.map_or(0, |last| N_LEVELS - 1 - last.depth as usize)
    }

    /// Restart with the heir that would come last in another stream.
    pub(super) fn take_last_of(&mut self, other: &mut Self) {
        let node = &mut other.nodes[other.bottom];
        let last = 1 << node.heirs.ilog2();
        let taken = Expanded {
            heirs: last,
            ..*node
        };
        node.heirs &= !last;
        other.bottom += usize::from(node.heirs == 0);
        let depth = taken.depth as usize;
        self.way[..depth].copy_from_slice(&other.way[..depth]);
        self.start(taken);
    }
}
