//! The table from sets of changes to their entries.

/// Marks a slot without a number.
const FREE: u8 = 0;

/// Numbers by 64-bit hashes, which are not stored: 5 bytes per slot. The caller compares the items
/// behind numbers, and provides the hashes again when the table grows.
#[derive(Clone, Debug, Default)]
pub(super) struct HashSlots {
    /// Some bits of the hash; [`FREE`] for a free slot. The length is a power of two, or 0.
    tags: Vec<u8>,
    numbers: Vec<u32>,
    n_used: usize,
}

/// Bits of the hash that neither choose the slot nor the shard.
fn tag_of(hash: u64) -> u8 {
    (hash >> 57) as u8 | 0x80
}

impl HashSlots {
    pub(super) fn bytes(&self) -> usize {
        self.tags.capacity() + self.numbers.capacity() * size_of::<u32>()
    }

    /// Return the first number with this hash that `is_it` accepts. It is called for few others.
    #[inline]
    pub(super) fn find(&self, hash: u64, mut is_it: impl FnMut(u32) -> bool) -> Option<u32> {
        let mask = self.tags.len().checked_sub(1)?;
        let tag = tag_of(hash);
        let mut slot = hash as usize & mask;
        loop {
            match self.tags[slot] {
                FREE => return None,
                found if found == tag && is_it(self.numbers[slot]) => {
                    return Some(self.numbers[slot]);
                }
                _ => slot = (slot + 1) & mask,
            }
        }
    }

    /// Add a number. `hashes` gives the hashes of all numbers from 0 on; it is called when the
    /// table grows, so numbers must be consecutive from 0.
    pub(super) fn insert<I: Iterator<Item = u64>>(
        &mut self,
        hash: u64,
        number: u32,
        hashes: impl FnOnce() -> I,
    ) {
        // A quarter of the slots stays free, since linear probing gets slow in a full table.
        if (self.n_used + 1) * 4 > self.tags.len() * 3 {
            let length = (self.tags.len() * 2).max(8);
            // The old slots are freed before the new ones are allocated.
            *self = Self {
                n_used: self.n_used,
                ..Self::default()
            };
            self.tags = vec![FREE; length];
            self.numbers = vec![0; length];
            for (number, hash) in (0..self.n_used as u32).zip(hashes()) {
                self.place(hash, number);
            }
        }
        self.place(hash, number);
        self.n_used += 1;
    }

    fn place(&mut self, hash: u64, number: u32) {
        let mask = self.tags.len() - 1;
        let mut slot = hash as usize & mask;
        while self.tags[slot] != FREE {
            slot = (slot + 1) & mask;
        }
        self.tags[slot] = tag_of(hash);
        self.numbers[slot] = number;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_while_the_table_grows() {
        // Every third hash has the same slot and the same tag as another.
        let hash = |number: u32| u64::from(number / 3).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mut slots = HashSlots::default();
        assert_eq!(slots.find(hash(0), |_| true), None);
        for number in 0..5_000 {
            slots.insert(hash(number), number, || (0..number).map(hash));
        }
        for number in 0..5_000 {
            let found = slots.find(hash(number), |other| other == number);
            assert_eq!(found, Some(number));
            let first = slots.find(hash(number), |other| other / 3 == number / 3);
            assert_eq!(first, Some(number / 3 * 3));
        }
        assert_eq!(slots.find(hash(6_000), |_| false), None);
        assert_eq!(slots.bytes(), 8192 * 5);
    }
}
