//! Ranks of a fixed number of distinct values, as in
//! [`PartialPermutation`](crate::ranking::partial_permutation::PartialPermutation) but without
//! loops: with loops, the whole search takes a third more instructions.

use std::iter::zip;

#[cfg(target_arch = "x86_64")]
use crate::ranking::bit_counts::BitCounts;
#[cfg(any(test, not(target_arch = "x86_64")))]
use crate::ranking::partial_permutation::nth_free;
use crate::ranking::partial_permutation::{MOST_POSITIONS, PartialPermutation, PlaceArray};

/// Ranks of arrangements of distinct values.
pub(super) trait Ranks {
    /// The places of the values, which come first.
    type Places: AsRef<[u8]> + AsMut<[u8]>;

    fn n_values(&self) -> usize;

    /// Return the rank of the arrangement where values have these places.
    fn rank(&self, places: &Self::Places) -> u32;

    /// Return the places of the values, and the set of them.
    fn unrank(&self, rank: u32) -> (Self::Places, u64);
}

/// The arrangements of `K` values.
#[derive(Clone, Copy)]
pub(super) struct Arrangements<const K: usize, S> {
    /// For each value, the number of places from which its place is chosen.
    sizes: [u32; K],
    select: S,
}

/// A way to find the n-th free place.
pub(super) trait Select: Copy {
    /// Return the free place that has `nth` free places before it.
    fn nth_free(self, used: u64, nth: u32) -> u8;
}

/// Finds places by instructions that every processor has.
#[cfg(any(test, not(target_arch = "x86_64")))]
#[derive(Clone, Copy)]
pub(super) struct Portable;

#[cfg(any(test, not(target_arch = "x86_64")))]
impl Select for Portable {
    #[inline(always)]
    fn nth_free(self, used: u64, nth: u32) -> u8 {
        nth_free(used, nth)
    }
}

/// Finds places by one instruction that deposits a bit.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub(super) struct Deposit(());

#[cfg(target_arch = "x86_64")]
impl Deposit {
    /// Use the instruction, which is one of those for counting bits.
    pub(super) fn of(_: BitCounts) -> Self {
        Self(())
    }
}

#[cfg(target_arch = "x86_64")]
impl Select for Deposit {
    #[inline(always)]
    fn nth_free(self, used: u64, nth: u32) -> u8 {
        // SAFETY: a `Deposit` exists only where the processor has the instruction.
        let place = unsafe { std::arch::x86_64::_pdep_u64(1 << (nth & 63), !used) };
        place.trailing_zeros() as u8
    }
}

impl<const K: usize, S: Select> Arrangements<K, S> {
    /// Return `None` if `places` has another number of values.
    pub(super) fn new(places: &PartialPermutation, select: S) -> Option<Self> {
        let sizes = |i: usize| (places.vars.len() - i) as u32;
        (places.items.len() == K && places.is_single()).then(|| Self {
            sizes: std::array::from_fn(sizes),
            select,
        })
    }
}

impl<const K: usize, S: Select> Ranks for Arrangements<K, S> {
    type Places = [u8; K];

    #[inline(always)]
    fn n_values(&self) -> usize {
        K
    }

    #[inline(always)]
    fn rank(&self, places: &[u8; K]) -> u32 {
        let (mut used, mut rank) = (0_u64, 0);
        for (place, size) in zip(places, &self.sizes) {
            let bit = 1_u64 << (place & 63);
            let before = (used & (bit - 1)).count_ones();
            rank = rank * size + (u32::from(*place) - before);
            used |= bit;
        }
        rank
    }

    #[inline(always)]
    fn unrank(&self, mut rank: u32) -> ([u8; K], u64) {
        let mut places = [0_u8; K];
        for (place, size) in zip(&mut places, &self.sizes).rev() {
            *place = (rank % size) as u8;
            rank /= size;
        }
        let mut used = 0_u64;
        for place in &mut places {
            *place = self.select.nth_free(used, u32::from(*place));
            used |= 1 << (*place & 63);
        }
        (places, used)
    }
}

/// The arrangements of any number of values.
impl Ranks for &PartialPermutation {
    type Places = PlaceArray;

    fn n_values(&self) -> usize {
        self.items.len()
    }

    fn rank(&self, places: &PlaceArray) -> u32 {
        self.rank_places(places) as u32
    }

    fn unrank(&self, rank: u32) -> (PlaceArray, u64) {
        let mut places = [0; MOST_POSITIONS];
        let used = self.unrank_places(u64::from(rank), &mut places);
        (places, used)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_those_of_places() {
        for n in [5_usize, 16, 64] {
            // One value fills all other places.
            let mut counts = vec![1; 3];
            counts.push(n - 3);
            let vars: Vec<u32> = (0..n as u32).collect();
            let places = PartialPermutation::new(vars, &counts, &[]).expect("few positions");
            let arrangements = Arrangements::<3, _>::new(&places, Portable).expect("three values");
            assert!(Arrangements::<4, _>::new(&places, Portable).is_none());
            #[cfg(target_arch = "x86_64")]
            let by_instruction = BitCounts::detect()
                .and_then(|counts| Arrangements::<3, _>::new(&places, Deposit::of(counts)));
            for rank in 0..places.size() as u32 {
                let (expected, used) = Ranks::unrank(&&places, rank);
                let (found, found_used) = arrangements.unrank(rank);
                assert_eq!((&found[..], found_used), (&expected[..3], used));
                assert_eq!(arrangements.rank(&found), rank);
                #[cfg(target_arch = "x86_64")]
                if let Some(arrangements) = by_instruction {
                    assert_eq!(arrangements.unrank(rank), (found, found_used));
                }
            }
        }
    }
}
