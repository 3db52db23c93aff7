//! Ranks of a fixed number of distinct values, as in
//! [`PartialPermutation`](crate::ranking::partial_permutation::PartialPermutation) but without
//! loops.

use crate::ranking::bit_counts::BitCounts;
use crate::ranking::partial_permutation::{PartialPermutation, nth_free};
#[cfg(target_arch = "x86_64")]
use psvn_ir::inlined::{pairs, pairs_mut};

/// The arrangements of `K` values.
#[derive(Clone, Copy)]
pub(super) struct Arrangements<const K: usize> {
    /// For each value, the number of places from which its place is chosen.
    sizes: [u32; K],
}

/// A way to find the n-th free place.
pub(super) trait Select: Copy {
    /// Return the free place that has `nth` free places before it.
    fn nth_free(self, used: u64, nth: u32) -> u8;
}

/// Finds places by instructions that every processor has.
#[derive(Clone, Copy)]
pub(super) struct Portable;

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

impl<const K: usize> Arrangements<K> {
    /// Return `None` if `places` has another number of values.
    pub(super) fn new(places: &PartialPermutation) -> Option<Self> {
        let sizes = |i: usize| (places.vars.len() - i) as u32;
        (places.items.len() == K && places.is_single()).then(|| Self {
            sizes: std::array::from_fn(sizes),
        })
    }

    /// Return the rank of the arrangement where values have these places.
    #[inline(always)]
    pub(super) fn rank(&self, places: &[u8; K]) -> u32 {
        let (mut used, mut rank) = (0_u64, 0);
        for (place, size) in pairs(places, &self.sizes) {
            let bit = 1_u64 << (place & 63);
            let before = (used & (bit - 1)).count_ones();
            rank = rank * size + (u32::from(*place) - before);
            used |= bit;
        }
        rank
    }

    /// Return the places of the values, and the set of them.
    #[inline(always)]
    pub(super) fn unrank(&self, mut rank: u32, select: impl Select) -> ([u8; K], u64) {
        let mut places = [0_u8; K];
        for (place, size) in pairs_mut(&mut places, &self.sizes).rev() {
            *place = (rank % size) as u8;
            rank /= size;
        }
        let mut used = 0_u64;
        for place in &mut places {
            *place = select.nth_free(used, u32::from(*place));
            used |= 1 << (*place & 63);
        }
        (places, used)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ranking::partial_permutation::{MOST_POSITIONS, PlaceArray};

    #[test]
    fn ranks_are_those_of_places() {
        for n in [5_usize, 16, 64] {
            // One value fills all other places.
            let mut counts = vec![1; 3];
            counts.push(n - 3);
            let vars: Vec<u32> = (0..n as u32).collect();
            let places = PartialPermutation::new(vars, &counts, &[]).expect("few positions");
            let arrangements = Arrangements::<3>::new(&places).expect("three values");
            assert!(Arrangements::<4>::new(&places).is_none());
            for rank in 0..places.size() as u32 {
                let mut expected: PlaceArray = [0; MOST_POSITIONS];
                let used = places.unrank_places(u64::from(rank), &mut expected);
                let (found, found_used) = arrangements.unrank(rank, Portable);
                assert_eq!((&found[..], found_used), (&expected[..3], used));
                assert_eq!(arrangements.rank(&found), rank);
                #[cfg(target_arch = "x86_64")]
                if let Some(deposit) = BitCounts::detect().map(Deposit::of) {
                    assert_eq!(arrangements.unrank(rank, deposit), (found, found_used));
                }
            }
        }
    }
}
