//! Cycle detection: children that lead back to a state of their own path.

use bytemuck::bytes_of;

use crate::game::cell::{Block, Cell, hash_row, rows_equal};
use crate::kernel::HasKernels;
use crate::run::options::CycleDetection;

/// What cycle detection remembers of the current path.
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

    /// Whether a child of the node at level `depth` closes a cycle. `path` holds the rows of the
    /// levels up to `depth`.
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

    /// The path now has the level `depth`, the last one in `path`.
    #[inline]
    pub(crate) fn enter<C: Cell>(&mut self, path: &[Block<C>], depth: usize, n_blocks: usize) {
        if let Cycles::Path(table) = self {
            table.enter(depth, |depth| hash_row(level(path, depth, n_blocks)));
        }
    }

    /// The level `depth`, the last one in `path`, leaves the path.
    #[inline]
    pub(crate) fn leave<C: Cell>(&mut self, path: &[Block<C>], depth: usize, n_blocks: usize) {
        if let Cycles::Path(table) = self {
            table.leave(depth, hash_row(level(path, depth, n_blocks)));
        }
    }

    /// The path is empty.
    pub(crate) fn clear(&mut self) {
        if let Cycles::Path(table) = self {
            table.clear();
        }
    }
}

/// The row of a level.
#[inline]
fn level<C: Cell>(path: &[Block<C>], depth: usize, n_blocks: usize) -> &[Block<C>] {
    &path[depth * n_blocks..(depth + 1) * n_blocks]
}

/// The hash of a row: 16 bytes at a time are multiplied, and the halves of the product added up.
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

/// A hash table of the levels of the path, with linear probing. The states themselves stand with
/// whoever asks.
///
/// The path is a stack: what goes in last goes out first. So a level can simply be erased from its
/// slot; no entry that was put behind it by probing is left.
#[derive(Debug, Default)]
pub(crate) struct PathTable {
    /// Levels counted from 1; 0 is an empty slot. The length is 0 or a power of two, and at least
    /// four times the number of levels.
    slots: Vec<u32>,
}

/// Slots for each level, at least: most look-ups find an empty slot at once.
const SLOTS_PER_LEVEL: usize = 4;

impl PathTable {
    /// The most bytes that a level takes.
    pub(crate) const BYTES_PER_LEVEL: usize = 2 * SLOTS_PER_LEVEL * size_of::<u32>();

    /// The bytes that it takes.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(self.slots.as_slice())
    }

    /// The slots to look at for a hash, in order.
    #[inline(always)]
    fn probe(&self, hash: u64) -> impl Iterator<Item = usize> + use<> {
        let mask = self.slots.len() - 1;
        let start = (hash ^ (hash >> 32)) as usize;
        (0..=mask).map(move |step| start.wrapping_add(step) & mask)
    }

    /// Whether one of the levels with this hash is the one that is looked for. There must be
    /// levels.
    #[inline(always)]
    pub(crate) fn contains(&self, hash: u64, is_it: impl Fn(usize) -> bool) -> bool {
        for slot in self.probe(hash) {
            match self.slots[slot] {
                0 => return false,
                entry if is_it(entry as usize - 1) => return true,
                _ => {}
            }
        }
        false
    }

    #[inline(always)]
    fn put(&mut self, hash: u64, depth: usize) {
        let free = self.probe(hash).find(|slot| self.slots[*slot] == 0);
        let free = free.expect("at most a quarter of the slots are used");
        self.slots[free] = u32::try_from(depth + 1).expect("the stack has fewer than 2^32 levels");
    }

    /// The path now has the level `depth`, its last one. `hash_of` gives the hashes of its levels.
    #[inline(always)]
    pub(crate) fn enter(&mut self, depth: usize, hash_of: impl Fn(usize) -> u64) {
        if (depth + 1) * SLOTS_PER_LEVEL > self.slots.len() {
            self.grow(depth, &hash_of);
        }
        self.put(hash_of(depth), depth);
    }

    #[cold]
    fn grow(&mut self, depth: usize, hash_of: &impl Fn(usize) -> u64) {
        let n_slots = (self.slots.len() * 2).max(64);
        self.slots.clear();
        self.slots.resize(n_slots, 0);
        // In the order of the levels, so that the last one in is still the first one out.
        (0..depth).for_each(|depth| self.put(hash_of(depth), depth));
    }

    /// The level `depth`, the last one and of this hash, leaves the path.
    #[inline(always)]
    pub(crate) fn leave(&mut self, depth: usize, hash: u64) {
        let own = depth as u32 + 1;
        let slot = self.probe(hash).find(|slot| self.slots[*slot] == own);
        self.slots[slot.expect("a level of the path is in the table")] = 0;
    }

    /// The path is empty.
    pub(crate) fn clear(&mut self) {
        self.slots.fill(0);
    }
}
