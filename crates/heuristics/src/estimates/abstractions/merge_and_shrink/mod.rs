//! Estimates from merge-and-shrink abstractions.

mod atomic;
mod bisimulation;
mod cascade;
mod counts;
mod factor;
mod label_reduction;
mod merging;
mod product;
mod system;
#[cfg(test)]
mod tests;

use budget::Watch;
use invariants::Invariants;
use psvn_ir::Game;
use search::DEAD_END;

use self::cascade::Lookups;
use self::factor::Factor;
use self::system::{FactoredSystem, Limits};
use crate::effort::Effort;
use crate::refusal::Refusal;

/// The number of an abstract state that was left out: from its states no goal can be reached, or
/// they break an invariant.
const GONE: u32 = u32::MAX;

/// The cost in an abstraction that is made by merging and shrinking (Helmert, Haslum, Hoffmann &
/// Nissim 2014, "Merge-and-Shrink Abstraction: A Method for Generating Lower Bounds in Factored
/// State Spaces"). Admissible and consistent.
///
/// The game is a product of transition systems with common labels, the *factors*: at first there is
/// one for each variable. Two of them at a time are replaced by their product, until one is left.
/// If a product would be too large, states of its factors are united before. What is left out are
/// states from which no goal can be reached, and states that break an invariant.
///
/// Labels that only one factor tells apart are united, so that more states can be united by
/// bisimulation, without any loss. As long as the limits suffice, the estimate is the cost.
#[derive(Clone, Debug)]
pub struct MergeAndShrink {
    /// How states of the factors are found, and what they cost.
    factors: Box<[(Lookups, Box<[u64]>)]>,
}

impl MergeAndShrink {
    /// Make the heuristic for a game, and states that satisfy the invariants.
    ///
    /// # Errors
    /// If the game has no goal, or its rules have too many instances.
    pub fn new(game: &Game, known: &Invariants) -> Result<Self, Refusal> {
        Self::within(game, known, &Effort::within(&Watch::default()))
    }

    /// The same within limits on time and memory.
    pub(crate) fn within(
        game: &Game,
        known: &Invariants,
        effort: &Effort<'_>,
    ) -> Result<Self, Refusal> {
        let mut system = FactoredSystem::new(game, known, effort)?;
        system.merge_all(&Limits::default(), effort)?;
        Ok(Self::of(&system.factors))
    }

    fn of(factors: &[Factor]) -> Self {
        let knows = |factor: &&Factor| {
            let has_cost = factor.distances.iter().any(|distance| *distance > 0);
            has_cost || factor.has_gaps()
        };
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

    /// Return the estimate of a state; [`DEAD_END`] if a factor has no way from it.
    #[inline]
    pub(crate) fn estimate(&self, state: &[u32]) -> u64 {
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
