//! The label words to extend, with their open instances.

use std::collections::HashMap;
use std::ops::Range;

use ahash::RandomState;
use psvn_ir::RuleId;

use crate::generalization::demands::Key;

/// A kept label word.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    pub(super) parent: u32,
    pub(super) letter: u32,
    /// The word without its first letter.
    pub(super) suffix: u32,
}

/// A stored instance, in the order of label words.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) parent: u32,
    pub(super) rule: RuleId,
}

/// An open instance of the last length.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaf {
    pub(super) node: u32,
    /// The instance without its first rule.
    pub(super) suffix: u32,
    pub(super) last: Option<RuleId>,
    pub(super) cost: u64,
    /// The range of its demands among those of all leaves.
    pub(super) demands: (usize, usize),
}

/// An instance that no shorter one covers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) parent: u32,
    pub(super) rule: RuleId,
    pub(super) suffix: u32,
    pub(super) cost: u64,
    pub(super) demands: (usize, usize),
}

/// A label word of the next length, with its candidates.
#[derive(Debug)]
pub(super) struct Child {
    pub(super) parent: u32,
    pub(super) letter: u32,
    pub(super) suffix: u32,
    pub(super) candidates: Vec<Candidate>,
    pub(super) demands: Vec<Key>,
    /// The number of its first candidate.
    pub(super) first: u32,
}

/// The bytes of a map entry: 12, and one for its control byte, with an eighth of the slots always
/// free.
const BYTES_OF_ENTRY: usize = 15;

impl Child {
    /// Return the bytes of its lists.
    pub(super) fn bytes(&self) -> usize {
        self.candidates.capacity() * size_of::<Candidate>()
            + self.demands.capacity() * size_of::<Key>()
    }
}

/// The open instances of the last length, by label word.
#[derive(Default)]
pub(super) struct OpenInstances {
    pub(super) groups: Range<u32>,
    /// For each group the end of its leaves.
    pub(super) ends: Vec<usize>,
    pub(super) leaves: Vec<Leaf>,
    pub(super) demands: Vec<Key>,
    /// By word without the last letter and by that letter.
    pub(super) group_of: HashMap<(u32, u32), u32, RandomState>,
    pub(super) node_of: HashMap<(u32, RuleId), u32, RandomState>,
}

impl OpenInstances {
    /// Make an empty layer with room for the open instances of the label words that are kept.
    /// Memory that isn't used yet takes only addresses.
    pub(super) fn with_room_for<T>(
        children: &[Child],
        is_open: &[Vec<bool>],
        verdicts: &[Option<T>],
    ) -> Self {
        let (mut n_groups, mut n_leaves, mut n_demands) = (0, 0, 0);
        let kept = children.iter().zip(is_open).zip(verdicts);
        for ((child, is_open), _) in kept.filter(|(_, verdict)| verdict.is_none()) {
            n_groups += 1;
            let candidates = child.candidates.iter().zip(is_open);
            for (candidate, _) in candidates.filter(|(_, is_open)| **is_open) {
                n_leaves += 1;
                n_demands += candidate.demands.1 - candidate.demands.0;
            }
        }
        let hasher = RandomState::default;
        Self {
            groups: 0..0,
            ends: Vec::with_capacity(n_groups),
            leaves: Vec::with_capacity(n_leaves),
            demands: Vec::with_capacity(n_demands),
            group_of: HashMap::with_capacity_and_hasher(n_groups, hasher()),
            node_of: HashMap::with_capacity_and_hasher(n_leaves, hasher()),
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.leaves.capacity() * size_of::<Leaf>()
            + self.demands.capacity() * size_of::<Key>()
            + self.ends.capacity() * size_of::<usize>()
            + (self.group_of.capacity() + self.node_of.capacity()) * BYTES_OF_ENTRY
    }

    /// Return the open instances of the label word at a place of the range.
    pub(super) fn leaves_of(&self, place: usize) -> &[Leaf] {
        let start = if place == 0 { 0 } else { self.ends[place - 1] };
        &self.leaves[start..self.ends[place]]
    }
}
