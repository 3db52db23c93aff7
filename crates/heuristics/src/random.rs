//! Random numbers for samples.

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::Rng;

/// A number below `bound`. Samples are named by their seeds, so how a number is made must not change;
/// the bias of the remainder is of no account for bounds as small as these.
pub(crate) fn below(random: &mut SplitMix64, bound: usize) -> usize {
    (random.next_u64() % bound as u64) as usize
}
