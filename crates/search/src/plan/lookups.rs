//! The rules that pass their tests, looked up by the few bits of a state that are tested.
//!
//! The last rules leave few tests open: after a move in a game with one piece that moves, the rules
//! that come next test some neighbors of its place. So the answer to all tests of a list stands in
//! a table, by the tested bits side by side. One step finds it, however many rules or parts of
//! rules the list has.

use bytemuck::Pod;

use crate::game::packed::Test;
use crate::kernel::{Kernel, gathered};

/// The most rules of a list with a table: a set of them is a word.
const MAX_RULES: usize = 64;

/// The most bits that are tested by a list with a table.
const MAX_BITS: u32 = 10;

/// The most words of all tables: half of a typical second-level cache.
const MAX_WORDS: usize = 1 << 16;

/// The bytes of the largest packed states for which there are tables: of larger ones, bits are
/// gathered from more words than most lists have tests.
const MAX_BYTES: usize = 16;

/// A table of a list.
#[derive(Clone, Copy, Debug)]
struct Lookup<R> {
    /// The bits that are tested.
    mask: R,
    /// Where the sets begin.
    first: u32,
}

/// The tables of a plan.
#[derive(Clone, Debug)]
pub(crate) struct Lookups<R> {
    lookups: Vec<Lookup<R>>,
    /// The rules that pass, as bits by their places, by the tested bits.
    sets: Vec<u64>,
}

impl<R> Default for Lookups<R> {
    fn default() -> Self {
        Self {
            lookups: Vec::new(),
            sets: Vec::new(),
        }
    }
}

impl<R: Pod> Lookups<R> {
    /// The number of no table.
    pub(crate) const NONE: u32 = u32::MAX;

    /// Whether there are tables for these packed states.
    pub(crate) const EXIST: bool = size_of::<R>() <= MAX_BYTES;

    /// Make the table of a list with these tests, and return its number; `None` where it would be
    /// too large. Bits that no state has are not in `possible`.
    pub(super) fn add(&mut self, tests: &[Test<R>], possible: &R) -> Option<u32> {
        let mut mask = R::zeroed();
        for test in tests {
            let bytes = bytemuck::bytes_of(&test.mask);
            for (i, all) in bytemuck::bytes_of_mut(&mut mask).iter_mut().enumerate() {
                *all |= bytes[i];
            }
        }
        let possible = bytemuck::bytes_of(possible);
        for (i, bits) in bytemuck::bytes_of_mut(&mut mask).iter_mut().enumerate() {
            *bits &= possible[i];
        }
        let bytes = bytemuck::bytes_of(&mask).iter();
        let n_bits: u32 = bytes.map(|byte| byte.count_ones()).sum();
        if tests.len() > MAX_RULES || n_bits > MAX_BITS {
            return None;
        }
        let first = self.sets.len();
        let n_sets = 1_usize << n_bits;
        if first + n_sets > MAX_WORDS {
            return None;
        }
        self.sets.resize(first + n_sets, 0);
        let sets = &mut self.sets[first..];
        for (place, test) in tests.iter().enumerate() {
            let value = gathered(&test.value, &mask) as usize;
            let free = !gathered(&test.mask, &mask) as usize & (n_sets - 1);
            // All subsets of the bits that it doesn't test.
            let mut others = free;
            loop {
                sets[value | others] |= 1 << place;
                if others == 0 {
                    break;
                }
                others = (others - 1) & free;
            }
        }
        self.lookups.push(Lookup {
            mask,
            first: first as u32,
        });
        Some(self.lookups.len() as u32 - 1)
    }

    /// Return the rules that pass in a state, as bits by their places in the list.
    #[inline(always)]
    pub(crate) fn passed<K: Kernel<R>>(&self, lookup: u32, kernel: K, packed: &R) -> u64
    where
        R: Eq,
    {
        let lookup = &self.lookups[lookup as usize];
        self.sets[lookup.first as usize + kernel.gather(packed, &lookup.mask) as usize]
    }

    /// Estimate their size in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(self.lookups.as_slice()) + size_of_val(self.sets.as_slice())
    }
}

#[cfg(test)]
mod tests {
    use bytemuck::Zeroable;
    use psvn_ir::testing::SplitMix64;

    use super::*;
    use crate::game::packed::{Bits, Bytes};
    use crate::kernel::Portable;

    const WORDS: usize = 2;

    /// Return a test of some variables of `n_bits` bits each, in bytes.
    fn random_test(random: &mut SplitMix64, n_bits: u32) -> Test<Bits<WORDS>> {
        let (mut mask, mut value) = (Bits::zeroed(), Bits::zeroed());
        for _ in 0..random.below(4) {
            let byte = random.below(8 * WORDS);
            bytemuck::bytes_of_mut(&mut mask)[byte] = 0xFF;
            bytemuck::bytes_of_mut(&mut value)[byte] = random.below(1 << n_bits) as u8;
        }
        Test { mask, value }
    }

    #[test]
    fn tables_answer_as_the_tests_do() {
        let mut random = SplitMix64::new(5);
        let mut lookups = Lookups::default();
        let (mut n_tables, mut n_passed) = (0, 0);
        for round in 0..300 {
            let n_bits = 1 + round % 2;
            let n = 1 + random.below(6);
            let tests: Vec<_> = (0..n).map(|_| random_test(&mut random, n_bits)).collect();
            let mut possible = Bits([0; WORDS]);
            bytemuck::bytes_of_mut(&mut possible).fill((1 << n_bits) - 1);
            let Some(table) = lookups.add(&tests, &possible) else {
                continue;
            };
            n_tables += 1;
            for _ in 0..50 {
                let mut packed = Bits([0; WORDS]);
                for byte in bytemuck::bytes_of_mut(&mut packed) {
                    *byte = random.below(1 << n_bits) as u8;
                }
                let passed = lookups.passed(table, Portable, &packed);
                for (place, test) in tests.iter().enumerate() {
                    let expected = Portable.agrees(&packed, &test.mask, &test.value);
                    assert_eq!(passed >> place & 1 == 1, expected, "{tests:?}, {packed:?}");
                    n_passed += u64::from(expected);
                }
                assert_eq!(passed >> n, 0);
            }
        }
        assert!(n_tables > 200 && n_passed > 5_000, "{n_tables}, {n_passed}");
    }

    #[test]
    fn large_tables_are_not_made() {
        let mut lookups = Lookups::default();
        let possible = Bytes([0xFF; 16]);
        let test = |n_bytes: usize| {
            let bits = Bytes(std::array::from_fn(|i| if i < n_bytes { 0xFF } else { 0 }));
            let (mask, value) = (bits, Bytes([0; 16]));
            Test { mask, value }
        };
        assert_eq!(lookups.add(&[test(1)], &possible), Some(0));
        assert_eq!(lookups.add(&[test(2)], &possible), None);
        assert_eq!(lookups.add(&vec![test(1); MAX_RULES], &possible), Some(1));
        assert_eq!(lookups.add(&vec![test(1); MAX_RULES + 1], &possible), None);
        // Until all tables are full.
        let more = (2..1000).find(|_| lookups.add(&[test(1)], &possible).is_none());
        assert_eq!(more, Some(MAX_WORDS / 256));
    }
}
