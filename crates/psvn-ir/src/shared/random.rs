//! Reproducible random numbers: a seed always gives the same samples, walks and orders.
//!
//! ```
//! use psvn_ir::random::SplitMix64;
//!
//! let mut random = SplitMix64::new(7);
//! let first = random.below(100);
//! assert_eq!(SplitMix64::new(7).below(100), first);
//! ```

use std::ops::RangeInclusive;

/// The increment of [`SplitMix64`]: 2^64 divided by the golden ratio.
pub const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// Mix the bits of a number, so that each input bit changes about half of the output bits (the
/// finalizer of SplitMix64).
#[inline(always)]
pub const fn mixed(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    number ^ (number >> 31)
}

/// Return the first number of the generator with a seed.
#[inline(always)]
pub const fn first_of(seed: u64) -> u64 {
    mixed(seed.wrapping_add(GOLDEN))
}

/// A small generator of random numbers: SplitMix64 (Steele, Lea & Flood 2014).
///
/// Seeds are written down beside results, so the sequence of a seed never changes.
#[derive(Clone, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// The sequence that belongs to a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Return the next number.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(GOLDEN);
        mixed(self.0)
    }

    /// Return a number below `bound`; for bounds far below 2^64 the bias of the remainder is
    /// negligible.
    ///
    /// # Panics
    /// When `bound` is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next_u64() % bound as u64) as usize
    }

    /// Return a number of a range.
    ///
    /// # Panics
    /// When the range is empty.
    pub fn within(&mut self, range: &RangeInclusive<usize>) -> usize {
        range.start() + self.below(range.end() + 1 - range.start())
    }

    /// `true` in about `percent` of 100 cases.
    pub fn chance(&mut self, percent: u32) -> bool {
        self.below(100) < percent as usize
    }

    /// Put items in a random order (Fisher & Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_is_the_published_one() {
        // The first outputs for seed 1234567, as implementations of SplitMix64 publish them.
        let mut random = SplitMix64::new(1_234_567);
        assert_eq!(random.next_u64(), 6_457_827_717_110_365_317);
        assert_eq!(random.next_u64(), 3_203_168_211_198_807_973);
        assert_eq!(random.next_u64(), 9_817_491_932_198_370_423);
    }

    /// Seeds are written down beside results, so their meaning must not change.
    #[test]
    fn a_seed_means_the_same_for_ever() {
        let mut items: Vec<u32> = (0..10).collect();
        SplitMix64::new(1).shuffle(&mut items);
        assert_eq!(items, [4, 2, 8, 1, 9, 3, 0, 6, 7, 5]);
        assert_eq!(first_of(77), SplitMix64::new(77).next_u64());
    }
}
