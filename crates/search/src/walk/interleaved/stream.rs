//! Nodes of an interleaved walk that are still to be expanded.

use crate::kernel::HasKernels;
use crate::walk::interleaved::node_word::{self, N_LEVELS};

/// A node: within the bound, and not expanded yet.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub(super) struct Pending<R> {
    pub(super) packed: R,
    pub(super) word: u64,
}

/// A depth-first walk: a stack of nodes, of which the top one is the next, and the path to the last
/// node taken from it.
pub(super) struct Stream<R> {
    /// Room for as many nodes as [`room`](Self::room) allows, and `width` more.
    pub(super) nodes: Box<[Pending<R>]>,
    /// By depth, the lower half of the word.
    pub(super) way: Box<[u32; N_LEVELS]>,
    /// The nodes from `bottom` to below `top` are pending.
    pub(super) bottom: usize,
    pub(super) top: usize,
    pub(super) width: usize,
}

impl<R: HasKernels> Stream<R> {
    /// Make a stream in which a node has at most `width` children.
    pub(super) fn new(width: usize) -> Self {
        let empty = Pending {
            packed: R::zeroed(),
            word: 0,
        };
        Self {
            nodes: vec![empty; (N_LEVELS + 1) * width].into(),
            way: Box::new([0; N_LEVELS]),
            bottom: 0,
            top: 0,
            width,
        }
    }

    /// Restart with one node.
    pub(super) fn start(&mut self, node: Pending<R>) {
        self.nodes[0] = node;
        (self.bottom, self.top) = (0, 1);
    }

    pub(super) fn clear(&mut self) {
        (self.bottom, self.top) = (0, 0);
    }

    /// Return the number of pending nodes.
    pub(super) fn len(&self) -> usize {
        self.top - self.bottom
    }

    /// Return the number of nodes that can be expanded before there may be too many nodes, or a
    /// node that is too deep.
    pub(super) fn room(&self) -> usize {
        let Some(last) = self.top.checked_sub(1) else {
            return 0;
        };
        let levels = N_LEVELS - 1 - node_word::depth(self.nodes[last].word);
        levels.min((self.nodes.len() - self.top) / self.width)
    }

    /// Restart with the node of another stream that would come last.
    pub(super) fn take_last_of(&mut self, other: &mut Self) {
        let node = other.nodes[other.bottom];
        other.bottom += 1;
        let depth = node_word::depth(node.word);
        self.way[..depth].copy_from_slice(&other.way[..depth]);
        self.start(node);
    }
}
