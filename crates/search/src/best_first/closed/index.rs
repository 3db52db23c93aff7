//! The index of stored states: from a state's hash to its number, in 4 bytes a slot.

use crate::best_first::budget::Budget;
use crate::best_first::closed::prefetch::prefetch;
use crate::run::limits::StopReason;

/// The slots of a group: as many as fit a cache line.
const SLOTS: usize = 16;

/// An index of fewer groups, half a megabyte, doubles when it grows.
const SMALL: usize = 1 << 13;

/// The number of states that are inserted together when the index grows. Their groups are scattered
/// in memory. The processor fetches them at the same time as long as no step waits for one of them.
const PUT_AT_ONCE: usize = 64;

/// The slots for hashes that begin with the same bits.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct Group([u32; SLOTS]);

/// A hash table of numbers, in groups of slots.
///
/// A slot is 0 (empty), or holds a state's number plus 1 in its low bits and a part of its hash,
/// the *tag*, in the bits that the numbers don't need yet. A look-up compares the states themselves
/// only where the tags agree, so it reads few states besides the right one. The slots of a group
/// are filled in order; what doesn't fit in a full group goes to the next group.
///
/// The hashes of all states can be computed again, fastest in the order of the states' numbers. So
/// an index that grows is dropped and built anew, and there are never two of them. While memory is
/// plentiful, a large index grows by a quarter when it is seven eighths full; it takes 5.1 bytes a
/// state on average. When memory is scarce, it grows by an eighth when it is nine tenths full, and
/// takes 4.7.
#[derive(Debug)]
pub(crate) struct Index {
    groups: Vec<Group>,
    used: usize,
    /// The bits that hold a number.
    ids: u32,
}

/// The greatest number plus 1 that a slot can hold.
pub(crate) const MAX_STATES: usize = u32::MAX as usize;

/// Return the bits that a slot needs for the number `id`.
fn mask_for(id: u32) -> u32 {
    u32::MAX >> (id + 1).leading_zeros()
}

impl Group {
    const EMPTY: Self = Self([0; SLOTS]);

    /// Return a bit for each slot that agrees with a value where the mask has ones.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn equal(&self, value: u32, mask: u32) -> u32 {
        use std::arch::x86_64::{
            __m128i, _mm_and_si128, _mm_cmpeq_epi32, _mm_movemask_epi8, _mm_packs_epi16,
            _mm_packs_epi32, _mm_set1_epi32,
        };
        let slots: [__m128i; 4] = bytemuck::cast(self.0);
        // SAFETY: every x86-64 processor has SSE2.
        unsafe {
            let value = _mm_set1_epi32((value & mask) as i32);
            let mask = _mm_set1_epi32(mask as i32);
            let equal = |four| _mm_cmpeq_epi32(_mm_and_si128(four, mask), value);
            let [a, b, c, d] = slots;
            let (low, high) = (
                _mm_packs_epi32(equal(a), equal(b)),
                _mm_packs_epi32(equal(c), equal(d)),
            );
            let bytes = _mm_packs_epi16(low, high);
            _mm_movemask_epi8(bytes) as u32
        }
    }

    #[cfg(not(target_arch = "x86_64"))]
    #[inline(always)]
    fn equal(&self, value: u32, mask: u32) -> u32 {
        let mut bits = 0;
        for (slot, entry) in self.0.iter().enumerate() {
            bits |= u32::from((entry ^ value) & mask == 0) << slot;
        }
        bits
    }

    /// Return a bit for each slot whose tag agrees with a hash. A tag may agree with empty slots.
    #[inline(always)]
    fn alike(&self, hash: u64, ids: u32) -> u32 {
        self.equal(hash as u32, !ids)
    }

    #[inline(always)]
    fn is_full(&self) -> bool {
        self.0[SLOTS - 1] != 0
    }

    #[inline(always)]
    fn n_filled(&self) -> usize {
        self.equal(0, !0).trailing_zeros() as usize
    }
}

impl Index {
    pub(crate) fn new() -> Self {
        Self {
            groups: Vec::new(),
            used: 0,
            ids: 0,
        }
    }

    /// Return the first group for a hash: its highest bits, scaled to the number of groups.
    #[inline(always)]
    fn home(&self, hash: u64) -> usize {
        (((hash >> 32) * self.groups.len() as u64) >> 32) as usize
    }

    #[inline(always)]
    fn after(&self, group: usize) -> usize {
        if group + 1 == self.groups.len() {
            0
        } else {
            group + 1
        }
    }

    /// Return the number of a state with this hash that `is_it` accepts.
    #[inline]
    pub(crate) fn find(&self, hash: u64, is_it: impl Fn(u32) -> bool) -> Option<u32> {
        if self.groups.is_empty() {
            return None;
        }
        let ids = self.ids;
        let mut at = self.home(hash);
        loop {
            let group = &self.groups[at];
            let mut alike = group.alike(hash, ids);
            while alike != 0 {
                let number = group.0[alike.trailing_zeros() as usize] & ids;
                if number == 0 {
                    break;
                }
                if is_it(number - 1) {
                    return Some(number - 1);
                }
                alike &= alike - 1;
            }
            if !group.is_full() {
                return None;
            }
            at = self.after(at);
        }
    }

    /// Prefetch the group that a look-up of a hash reads first.
    #[inline(always)]
    pub(crate) fn fetch(&self, hash: u64) {
        // An empty index has none.
        if let Some(group) = self.groups.get(self.home(hash)) {
            prefetch(group);
        }
    }

    /// Return the state that a look-up of a hash is likely to compare first, if any.
    #[inline]
    pub(crate) fn likely(&self, hash: u64) -> Option<u32> {
        let group = self.groups.get(self.home(hash))?;
        let alike = group.alike(hash, self.ids);
        let number = group.0.get(alike.trailing_zeros() as usize)? & self.ids;
        number.checked_sub(1)
    }

    /// Add a number, which is the greatest so far: all smaller ones are in the index. `hash_of`
    /// gives their hashes.
    #[inline]
    pub(crate) fn insert(
        &mut self,
        hash: u64,
        id: u32,
        hash_of: impl Fn(u32) -> u64,
        budget: &mut Budget,
    ) -> Result<(), StopReason> {
        if self.ids < mask_for(id) {
            self.widen_ids(mask_for(id));
        }
        let n_slots = self.groups.len() * SLOTS;
        let is_plentiful = budget.is_plentiful();
        let is_full = if is_plentiful {
            (self.used + 1) * 8 > n_slots * 7
        } else {
            (self.used + 1) * 10 > n_slots * 9
        };
        if is_full {
            let n_groups = self.groups.len();
            let more = match is_plentiful {
                true if n_groups < SMALL => n_groups,
                true => n_groups / 4,
                false => n_groups / 8,
            };
            let grown = self.grow(n_groups + more + 1, hash_of, budget);
            // When memory runs out, use the remaining slots too, as long as the search for a free
            // one doesn't take too long.
            if grown.is_err() && (self.used + 1) * 32 > n_slots * 31 {
                return grown;
            }
        }
        self.put(hash, id);
        Ok(())
    }

    #[inline(always)]
    fn put(&mut self, hash: u64, id: u32) {
        let mut at = self.home(hash);
        let entry = (hash as u32 & !self.ids) | (id + 1);
        loop {
            let group = &mut self.groups[at];
            let slot = group.n_filled();
            if let Some(slot) = group.0.get_mut(slot) {
                *slot = entry;
                break;
            }
            at = self.after(at);
        }
        self.used += 1;
    }

    /// Take bits from the tags, so that larger numbers fit.
    #[cold]
    fn widen_ids(&mut self, ids: u32) {
        let kept = self.ids | !ids;
        for group in &mut self.groups {
            group.0.iter_mut().for_each(|slot| *slot &= kept);
        }
        self.ids = ids;
    }

    /// Replace the index by one with `n_groups` groups.
    #[cold]
    fn grow(
        &mut self,
        n_groups: usize,
        hash_of: impl Fn(u32) -> u64,
        budget: &mut Budget,
    ) -> Result<(), StopReason> {
        let n_old = self.groups.len();
        if !budget.affords((n_groups - n_old) * size_of::<Group>()) {
            return Err(StopReason::Memory);
        }
        self.groups = Vec::new();
        budget.release(n_old * size_of::<Group>());
        let grown = budget.grow(&mut self.groups, n_groups);
        let n_groups = if grown.is_ok() { n_groups } else { n_old };
        // The system has less memory than the budget says: the old index did fit.
        budget.grow(&mut self.groups, n_groups)?;
        self.groups.resize(n_groups, Group::EMPTY);
        self.refill(hash_of);
        grown
    }

    fn refill(&mut self, hash_of: impl Fn(u32) -> u64) {
        let n = std::mem::take(&mut self.used) as u32;
        let mut hashes = [0; PUT_AT_ONCE];
        for begin in (0..n).step_by(PUT_AT_ONCE) {
            let n_now = PUT_AT_ONCE.min((n - begin) as usize);
            for (hash, id) in hashes[..n_now].iter_mut().zip(begin..) {
                *hash = hash_of(id);
                self.fetch(*hash);
            }
            for (hash, id) in hashes[..n_now].iter().zip(begin..) {
                self.put(*hash, id);
            }
        }
    }

    /// Return the size of the index in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.groups.capacity() * size_of::<Group>()
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// Return a number that looks like a hash of `id`.
    fn hash_of(id: u32) -> u64 {
        let mixed = (u64::from(id) + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9)
    }

    /// Fill an index. Return how often numbers were inserted again, and the bytes at the end.
    fn fill(n: u32, limit: Option<usize>) -> (usize, usize) {
        let mut budget = Budget::new(limit);
        let mut index = Index::new();
        let again = Cell::new(0);
        for id in 0..n {
            let hash = |id| {
                again.set(again.get() + 1);
                hash_of(id)
            };
            index.insert(hash_of(id), id, hash, &mut budget).unwrap();
        }
        assert!((0..n).all(|id| index.find(hash_of(id), |other| other == id) == Some(id)));
        (again.get(), index.bytes())
    }

    #[test]
    fn states_are_put_in_again_a_few_times_while_memory_is_plentiful() {
        for n in [200_000, 300_000, 400_000] {
            let (again, bytes) = fill(n, None);
            assert!(again < 5 * n as usize, "{again}");
            // From seven eighths full to four fifths of that.
            let bytes_per_state = bytes as f64 / f64::from(n);
            assert!((4.5..5.8).contains(&bytes_per_state), "{bytes_per_state}");
        }
    }

    #[test]
    fn near_a_limit_an_index_is_as_small_as_it_can_be() {
        for n in [60_000, 90_000, 130_000, 200_000, 290_000] {
            // Enough for slots that are nine tenths full with an eighth more of them than needed.
            let limit = n as usize * 505 / 100 + 1_000;
            let (_, bytes) = fill(n, Some(limit));
            assert!(bytes <= limit);
        }
    }

    /// Hashes of few bits: groups are full and tags agree.
    #[test]
    fn numbers_are_found_whatever_the_hashes() {
        for hash_of in [
            (|id| u64::from(id % 7) << 60) as fn(u32) -> u64,
            |id| u64::from(id % 3) << 31,
            |_| u64::MAX,
            |_| 0,
        ] {
            let mut budget = Budget::new(None);
            let mut index = Index::new();
            for id in 0..700 {
                assert_eq!(index.find(hash_of(id), |other| other == id), None);
                index.insert(hash_of(id), id, hash_of, &mut budget).unwrap();
            }
            assert!((0..700).all(|id| index.find(hash_of(id), |other| other == id) == Some(id)));
            budget.release(index.bytes());
            assert!(budget.affords(usize::MAX));
        }
    }
}
