//! Estimates from merge-and-shrink abstractions.

mod atomic;
mod bisimulation;
mod cascade;
mod factor;
mod label_reduction;
mod merging;
mod product;
mod system;
#[cfg(test)]
mod tests;
mod validity;

use budget::Watch;
use invariants::Invariants;
use psvn_ir::{Game, State};
use search::{DEAD_END, Heuristic};

use self::cascade::Lookups;
use self::factor::Factor;
use self::system::{FactoredSystem, Limits, Shrinking};
use crate::effort::Effort;
use crate::refusal::Refusal;
use crate::tables::representative_states;

/// By attempt, the most states of groups of variables that are merged before the others. Of the
/// attempts the one with the greatest estimates for the starts counts.
const STATES_OF_GROUPS: [usize; 3] = [0, 50, 1_000];

/// The cost in an abstraction that is made by merging and shrinking (Helmert, Haslum, Hoffmann &
/// Nissim 2014, "Merge-and-Shrink Abstraction: A Method for Generating Lower Bounds in Factored
/// State Spaces"). Admissible and consistent.
///
/// The game is a product of transition systems with common labels, the *factors*: at first there is
/// one for each variable. Two of them at a time are replaced by their product, until one is left.
/// If a product would be too large, states of its factors are united before: first those that are
/// on no cheap path from the starts to the goals. What is left out are states from which no goal
/// can be reached, and states that break an invariant.
///
/// Labels that only one factor tells apart are united, so that more states can be united by
/// bisimulation, without any loss. As long as the limits suffice, the estimate is the cost.
///
/// Which factors are merged first matters where states are lost, so it is tried in several orders:
/// at once, and with small groups of variables before others.
#[derive(Clone, Debug)]
pub struct MergeAndShrink {
    /// How states of the factors are found, and what they cost.
    factors: Box<[(Lookups, Box<[u64]>)]>,
}

impl MergeAndShrink {
    /// Make the heuristic for a game, states that satisfy the invariants, and some starts.
    ///
    /// # Errors
    /// If the game has no goal, or its rules have too many instances.
    pub fn new(game: &Game, known: &Invariants, starts: &[State]) -> Result<Self, Refusal> {
        Self::within(game, known, starts, &Effort::within(&Watch::default()))
    }

    /// The same within limits on time and memory.
    pub(crate) fn within(
        game: &Game,
        known: &Invariants,
        starts: &[State],
        effort: &Effort<'_>,
    ) -> Result<Self, Refusal> {
        let starts = representative_states(game, known, starts);
        let system = FactoredSystem::new(game, known, &starts, effort)?;
        let limits = Limits::default();
        let mut best: Option<(u128, Self)> = None;
        let mut n_groups = 0;
        for states in STATES_OF_GROUPS {
            let bytes_of_best = best.as_ref().map_or(0, |(_, it)| it.n_bytes());
            let bytes_beside = system.n_bytes() + bytes_of_best;
            let mut system = system.clone();
            system.bytes_beside = bytes_beside;
            if states > 0 {
                let of_groups = Limits { states, ..limits };
                system.merge_all(Shrinking::Exact, &of_groups, effort)?;
            }
            // With as many groups they are those of the last attempt.
            if system.factors.len() == n_groups {
                continue;
            }
            n_groups = system.factors.len();
            system.merge_all(Shrinking::Lossy, &limits, effort)?;
            let made = Self::of(&system.factors);
            let estimates = starts.iter().map(|start| made.estimate(start));
            let sum: u128 = estimates.map(u128::from).sum();
            if best.as_ref().is_none_or(|(greatest, _)| sum > *greatest) {
                best = Some((sum, made));
            }
            if system.is_exact {
                break;
            }
        }
        let (_, best) = best.expect("there is a first attempt");
        Ok(best)
    }

    fn of(factors: &[Factor]) -> Self {
        let knows = |factor: &&Factor| factor.has_estimates();
        let lookups = factors.iter().filter(knows).map(|factor| {
            let costs = factor.distances.clone().into_boxed_slice();
            (Lookups::new(&factor.cascade), costs)
        });
        Self {
            factors: lookups.collect(),
        }
    }

    /// Return about the bytes of the tables.
    pub(crate) fn n_bytes(&self) -> usize {
        let factors = self.factors.iter();
        let bytes = factors.map(|(lookups, costs)| lookups.n_bytes() + size_of_val(&**costs));
        bytes.sum()
    }
}

impl Heuristic for MergeAndShrink {
    #[inline]
    fn estimate(&self, state: &[u32]) -> u64 {
        let mut greatest = 0;
        for (lookups, costs) in &self.factors {
            match lookups.of(state) {
                Some(found) => greatest = costs[found as usize].max(greatest),
                None => return DEAD_END,
            }
        }
        greatest
    }
}
