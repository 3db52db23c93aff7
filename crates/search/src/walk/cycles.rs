//! Cycle detection: children that lead back to a state of their own path.

use bytemuck::bytes_of;

use crate::game::cell::{Block, Cell, hash_row, rows_equal};
use crate::kernel::HasKernels;
use crate::run::options::CycleDetection;

/// The memory of cycle detection for the current path.
#[derive(Debug)]
pub(crate) enum Cycles {
    None,
    Parent,
    Path(PathTable),
}

impl Cycles {
    pub(crate) fn new(mode: CycleDetection) -> Self {
        match mode {
            CycleDetection::None => Cycles::None,
            CycleDetection::Parent => Cycles::Parent,
            CycleDetection::Path => Cycles::Path(PathTable::default()),
        }
    }

    /// Return whether a child of the node at level `depth` closes a cycle. `path` holds the packed
    /// states of the levels up to `depth`.
    #[inline]
    pub(crate) fn closes<C: Cell>(
        &self,
        path: &[Block<C>],
        depth: usize,
        child: &[Block<C>],
    ) -> bool {
        match self {
            Cycles::None => false,
            Cycles::Parent => depth > 0 && rows_equal(level(path, depth - 1, child.len()), child),
            Cycles::Path(table) => table.contains(hash_row(child), |depth| {
                rows_equal(level(path, depth, child.len()), child)
            }),
        }
    }

    /// Add the level `depth`, the last one in `path`.
    #[inline]
    pub(crate) fn enter<C: Cell>(&mut self, path: &[Block<C>], depth: usize, n_blocks: usize) {
        if let Cycles::Path(table) = self {
            table.enter(depth, |depth| hash_row(level(path, depth, n_blocks)));
        }
    }

    /// Remove the level `depth`, the last one in `path`.
    #[inline]
    pub(crate) fn leave<C: Cell>(&mut self, path: &[Block<C>], depth: usize, n_blocks: usize) {
        if let Cycles::Path(table) = self {
            table.leave(depth, hash_row(level(path, depth, n_blocks)));
        }
    }

    /// Remove all levels.
    pub(crate) fn clear(&mut self) {
        if let Cycles::Path(table) = self {
            table.clear();
        }
    }
}

/// Return the packed state of a level.
#[inline]
fn level<C: Cell>(path: &[Block<C>], depth: usize, n_blocks: usize) -> &[Block<C>] {
    &path[depth * n_blocks..(depth + 1) * n_blocks]
}

/// Hash a packed state: multiply 16 bytes at a time, and add up the halves of the products.
#[inline(always)]
pub(crate) fn hash<R: HasKernels>(row: &R) -> u64 {
    let word = |bytes: &[u8]| {
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        u64::from_ne_bytes(word)
    };
    bytes_of(row).chunks(16).fold(0, |hash, bytes| {
        let (low, high) = bytes.split_at(8);
        let low = word(low) ^ 0x9E37_79B9_7F4A_7C15 ^ hash;
        let high = word(high) ^ 0xBF58_476D_1CE4_E5B9;
        let product = u128::from(low) * u128::from(high);
        (product as u64) ^ (product >> 64) as u64
    })
}

/// A hash table of the levels of the path, with linear probing. The caller keeps the states
/// themselves.
///
/// The path is a stack, so the last entry is removed first. So a level can simply be erased from
/// its slot: no entry that probing put behind it remains.
#[derive(Debug, Default)]
pub(crate) struct PathTable {
    /// Levels counted from 1; 0 marks an empty slot. The length is 0 or a power of two, and at
    /// least four times the number of levels.
    slots: Vec<u32>,
}

/// The minimum number of slots for each level: most look-ups find an empty slot at once.
const SLOTS_PER_LEVEL: usize = 4;

impl PathTable {
    /// The maximum bytes for each level.
    pub(crate) const BYTES_PER_LEVEL: usize = 2 * SLOTS_PER_LEVEL * size_of::<u32>();

    /// Return its size in bytes.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(self.slots.as_slice())
    }

    /// Return the slot to probe for a hash after `step` others.
    #[inline(always)]
    fn slot(&self, hash: u64, step: usize) -> usize {
        ((hash ^ (hash >> 32)) as usize).wrapping_add(step) & (self.slots.len() - 1)
    }

    /// Return the slot with an entry, on the way of a hash. There is one.
    #[inline(always)]
    fn find(&self, hash: u64, entry: u32) -> usize {
        let mut step = 0;
        while self.slots[self.slot(hash, step)] != entry {
            step += 1;
            assert!(step <= self.slots.len(), "the entry is in the table");
        }
        self.slot(hash, step)
    }

    /// Return whether one of the levels with this hash is the wanted one. The table must have
    /// levels.
    #[inline(always)]
    pub(crate) fn contains(&self, hash: u64, is_it: impl Fn(usize) -> bool) -> bool {
        // An empty slot ends the way: at most a quarter of the slots are used.
        let mut step = 0;
        loop {
            match self.slots[self.slot(hash, step)] {
                0 => return false,
                entry if is_it(entry as usize - 1) => return true,
                _ => step += 1,
            }
        }
    }

    #[inline(always)]
    fn put(&mut self, hash: u64, depth: usize) {
        let free = self.find(hash, 0);
        self.slots[free] = u32::try_from(depth + 1).expect("the stack has fewer than 2^32 levels");
    }

    /// Add the level `depth`, the last one. `hash_of` gives the hashes of the path's levels.
    #[inline(always)]
    pub(crate) fn enter(&mut self, depth: usize, hash_of: impl Fn(usize) -> u64) {
        if (depth + 1) * SLOTS_PER_LEVEL > self.slots.len() {
            self.grow(depth, &hash_of);
        }
        self.put(hash_of(depth), depth);
    }

    #[cold]
    fn grow(&mut self, depth: usize, hash_of: &dyn Fn(usize) -> u64) {
        let n_slots = (self.slots.len() * 2).max(64);
        self.slots.clear();
        self.slots.resize(n_slots, 0);
        // Insert them in the order of the levels, so that the last one can still be removed first.
        for depth in 0..depth {
            self.put(hash_of(depth), depth);
        }
    }

    /// Remove the level `depth`, which is the last one and has this hash.
    #[inline(always)]
    pub(crate) fn leave(&mut self, depth: usize, hash: u64) {
        let slot = self.find(hash, depth as u32 + 1);
        self.slots[slot] = 0;
    }

    /// Remove all levels.
    pub(crate) fn clear(&mut self) {
        self.slots.fill(0);
    }
}
