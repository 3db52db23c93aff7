//! Potentials: sums of weights as estimates. No rule lowers the sum by more than its cost, and at a
//! goal it is at most the base, which is taken away.

use crate::costs::flaw::{CostProblem, Fault};
use crate::costs::setting::prepared::Prepared;
use crate::costs::sums::{Change, Weights, bounds, weigh};

/// A sum of weights, less a base.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Potential {
    pub(crate) line: usize,
    pub(crate) base: u64,
    pub(crate) weights: Weights,
}

impl Potential {
    /// Check that it is consistent.
    pub(crate) fn check(&self, game: &Prepared<'_>) -> Result<(), Fault> {
        for (rule, it) in game.moves.iter().enumerate() {
            let change = Change::of(&self.weights, game.domains, it);
            let fall = change.map_or(0, |change| change.greatest_fall());
            if fall > it.cost as i64 {
                return Err(CostProblem::Potential { rule, fall }.at(self.line));
            }
        }
        for tests in game.goals.iter() {
            let (_, sum) = bounds(&self.weights, game.domains, tests);
            if sum > self.base {
                return Err(CostProblem::PotentialOfGoal { sum }.at(self.line));
            }
        }
        Ok(())
    }

    /// Whether some value counts.
    pub(crate) fn has_weights(&self) -> bool {
        self.weights.iter().flatten().any(|weight| *weight > 0)
    }

    pub(crate) fn estimate(&self, state: &[u32]) -> u64 {
        self.of_sum(weigh(&self.weights, state))
    }

    /// The estimate of a state whose weights have this sum.
    pub(crate) fn of_sum(&self, sum: u64) -> u64 {
        sum.saturating_sub(self.base)
    }
}
