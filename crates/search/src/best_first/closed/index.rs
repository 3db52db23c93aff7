//! The index of stored states: from a state's hash to its number, in 4 bytes a slot.

use crate::best_first::budget::Budget;
use crate::run::limits::StopReason;

/// Shards grow one at a time, so only this small part of the index ever exists twice.
const SHARD_BITS: u32 = 6;

/// The initial number of slots of a shard.
const FIRST_SLOTS: usize = 8;

/// Shards start to grow at different sizes from this many slots on.
const STAGGERED: usize = 64;

/// The number of states that are hashed in one go when a shard grows. They are scattered in memory,
/// and are fetched at the same time as long as no step waits for one of them.
const HASHED_AT_ONCE: usize = 64;

/// The number of slots probed for a likely match: the slots of one cache line.
const LIKELY_SLOTS: usize = 16;

/// A hash table of numbers with linear probing.
///
/// A slot is 0 (empty), or holds a state's number plus 1 in its low bits and a part of its hash,
/// the *tag*, in those that the numbers don't need yet. Only where the tag agrees is the state
/// itself compared, so that a look-up reads few states besides the right one.
///
/// While memory is plentiful, shards double when they are seven tenths full, each at its own time:
/// each state is put in twice on the average, near its place. Where less is left than a doubled
/// index would need to be filled, they grow by an eighth when they are nine tenths full, which
/// takes 4.7 bytes a state.
#[derive(Debug)]
pub(crate) struct Index {
    shards: Vec<Shard>,
}

#[derive(Debug, Default)]
struct Shard {
    slots: Vec<u32>,
    used: usize,
    /// The bits that hold a number.
    id_bits: u32,
}

/// The greatest number plus 1 that a slot can hold.
pub(crate) const MAX_STATES: usize = u32::MAX as usize;

/// Return the bits that a slot needs for the number `id`.
fn bits_for(id: u32) -> u32 {
    u32::BITS - (id + 1).leading_zeros()
}

fn mask(bits: u32) -> u32 {
    u32::MAX.checked_shr(u32::BITS - bits).unwrap_or(0)
}

fn shard_of(hash: u64) -> usize {
    (hash >> (u64::BITS - SHARD_BITS)) as usize
}

impl Shard {
    /// Return the first slot of a hash: its middle bits, scaled to the number of slots.
    #[inline]
    fn start(&self, hash: u64) -> usize {
        let fraction = (hash << SHARD_BITS) >> 32;
        ((fraction * self.slots.len() as u64) >> 32) as usize
    }

    #[inline]
    fn after(&self, slot: usize) -> usize {
        if slot + 1 == self.slots.len() {
            0
        } else {
            slot + 1
        }
    }

    fn put(&mut self, hash: u64, id: u32) {
        let mut slot = self.start(hash);
        while self.slots[slot] != 0 {
            slot = self.after(slot);
        }
        self.slots[slot] = (hash as u32 & !mask(self.id_bits)) | (id + 1);
        self.used += 1;
    }

    /// Take bits from the tags, so that larger numbers fit.
    fn widen_ids(&mut self, id_bits: u32) {
        let (old, new) = (mask(self.id_bits), mask(id_bits));
        for slot in &mut self.slots {
            *slot = (*slot & old) | (*slot & !new);
        }
        self.id_bits = id_bits;
    }

    /// Grow the shard with this number.
    fn grow(
        &mut self,
        number: usize,
        hash_of: impl Fn(u32) -> u64,
        budget: &mut Budget,
    ) -> Result<(), StopReason> {
        let n_old = self.slots.len();
        // The part of their size by which shards grow: the whole, or an eighth.
        let part = if budget.is_plentiful() { 1 } else { 8 };
        let mut n_slots = (n_old + n_old / part + 1).max(FIRST_SLOTS);
        if n_old < STAGGERED && n_slots >= STAGGERED {
            // From here on the shards, which fill up at the same rate, grow at different times.
            n_slots += n_slots * number / (part << SHARD_BITS);
        }
        let mut slots = Vec::new();
        budget.grow(&mut slots, n_slots)?;
        slots.resize(n_slots, 0);
        let ids = mask(self.id_bits);
        let old = std::mem::replace(&mut self.slots, slots);
        self.used = 0;
        let mut some = [(0_u64, 0_u32); HASHED_AT_ONCE];
        let mut entries = old.iter().filter(|slot| **slot != 0);
        loop {
            let mut n = 0;
            for (place, slot) in some.iter_mut().zip(entries.by_ref()) {
                place.1 = (slot & ids) - 1;
                n += 1;
            }
            let some = &mut some[..n];
            for (hash, id) in &mut *some {
                *hash = hash_of(*id);
            }
            for (hash, id) in some {
                self.put(*hash, *id);
            }
            if n < HASHED_AT_ONCE {
                break;
            }
        }
        budget.release(old.capacity() * size_of::<u32>());
        Ok(())
    }
}

impl Index {
    pub(crate) fn new(budget: &mut Budget) -> Result<Self, StopReason> {
        let mut shards = Vec::new();
        budget.grow(&mut shards, 1 << SHARD_BITS)?;
        shards.resize_with(1 << SHARD_BITS, Shard::default);
        Ok(Self { shards })
    }

    /// Return the number of a state with this hash that `is_it` accepts.
    #[inline]
    pub(crate) fn find(&self, hash: u64, is_it: impl Fn(u32) -> bool) -> Option<u32> {
        let shard = &self.shards[shard_of(hash)];
        if shard.slots.is_empty() {
            return None;
        }
        let ids = mask(shard.id_bits);
        let mut slot = shard.start(hash);
        loop {
            let entry = shard.slots[slot];
            if entry == 0 {
                return None;
            }
            if (entry ^ hash as u32) & !ids == 0 && is_it((entry & ids) - 1) {
                return Some((entry & ids) - 1);
            }
            slot = shard.after(slot);
        }
    }

    /// Return the first slot that a look-up of a hash reads.
    #[inline]
    pub(crate) fn first_slot(&self, hash: u64) -> u32 {
        let shard = &self.shards[shard_of(hash)];
        // An empty shard has none.
        shard.slots.get(shard.start(hash)).copied().unwrap_or(0)
    }

    /// Return the state that a look-up of a hash is likely to compare first, if any.
    #[inline]
    pub(crate) fn likely(&self, hash: u64) -> Option<u32> {
        let shard = &self.shards[shard_of(hash)];
        let ids = mask(shard.id_bits);
        let slots = shard.slots.get(shard.start(hash)..)?;
        let near = slots.iter().take(LIKELY_SLOTS);
        let mut occupied = near.take_while(|slot| **slot != 0);
        let found = occupied.find(|slot| (**slot ^ hash as u32) & !ids == 0)?;
        Some((found & ids) - 1)
    }

    /// Add a number, which is the greatest so far. `hash_of` gives the hashes of smaller ones.
    pub(crate) fn insert(
        &mut self,
        hash: u64,
        id: u32,
        hash_of: impl Fn(u32) -> u64,
        budget: &mut Budget,
    ) -> Result<(), StopReason> {
        let number = shard_of(hash);
        let shard = &mut self.shards[number];
        if shard.id_bits < bits_for(id) {
            shard.widen_ids(bits_for(id));
        }
        let full = if budget.is_plentiful() { 7 } else { 9 };
        if (shard.used + 1) * 10 > shard.slots.len() * full {
            let grown = shard.grow(number, hash_of, budget);
            // Where memory is at its end, the slots that are left are used too, as long as looking
            // for a free one doesn't take too long.
            if grown.is_err() && (shard.used + 1) * 32 > shard.slots.len() * 31 {
                return grown;
            }
        }
        shard.put(hash, id);
        Ok(())
    }

    /// Return the index's size in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let slots: usize = self.shards.iter().map(|shard| shard.slots.capacity()).sum();
        slots * size_of::<u32>() + self.shards.capacity() * size_of::<Shard>()
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

    /// Fill an index. Return how often a number was put in again, and the bytes at the end.
    fn fill(n: u32, limit: Option<usize>) -> (usize, usize) {
        let mut budget = Budget::new(limit);
        let mut index = Index::new(&mut budget).unwrap();
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
    fn states_are_put_in_again_twice_at_most_while_memory_is_plentiful() {
        let n = 300_000;
        let (again, bytes) = fill(n, None);
        assert!(again < 2 * n as usize, "{again}");
        // From seven tenths full to half of that.
        let bytes_per_state = bytes as f64 / f64::from(n);
        assert!((5.7..11.8).contains(&bytes_per_state), "{bytes_per_state}");
    }

    #[test]
    fn near_a_limit_an_index_is_as_small_as_it_can_be() {
        for n in [60_000, 90_000, 130_000, 200_000, 290_000] {
            // Enough for slots that are nine tenths full, an eighth more slots than needed, and a
            // second copy of one shard.
            let limit = n as usize * 52 / 10 + 20_000;
            let (_, bytes) = fill(n, Some(limit));
            assert!(bytes <= limit);
        }
    }
}
