//! Estimates from what facts cost.

use budget::Watch;
use invariants::Invariants;
use psvn_ir::Game;
use search::Heuristic;

use super::costs::{Costs, Together};
use super::idle::Idle;
use super::relaxed::Relaxed;
use crate::effort::Effort;
use crate::refusal::Refusal;

/// How the cost of a goal is estimated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RelaxedCost {
    /// h-max: several facts cost as much as the most expensive one. Admissible and consistent.
    Max,
    /// h-add: several facts cost as much as all together. It counts twice what helps two of them.
    Add,
    /// FF: the cost of a plan that follows the cheapest rules by h-add, each taken once.
    Plan,
}

/// The cost of a goal if variables keep their old values when they get new ones: h-max and h-add
/// (Bonet & Geffner 2001, "Planning as Heuristic Search"), and the relaxed plan of FF (Hoffmann &
/// Nebel 2001) with the choice of h-add for each fact (Keyder & Geffner 2008).
///
/// Rules with unknowns are replaced by their instances, as for
/// [`LandmarkCut`](crate::LandmarkCut); where these are too many, estimates are lower.
///
/// An estimate takes time for each fact that an action needs or adds, and a logarithm for each
/// fact.
#[derive(Clone, Debug)]
pub struct RelaxedCosts {
    relaxed: Relaxed,
    cost: RelaxedCost,
    idle: Idle<(Costs, Vec<u32>)>,
}

impl RelaxedCosts {
    /// Make the heuristic for a game and states that satisfy the invariants.
    ///
    /// # Errors
    /// If the game has no goal, or too many rules and values.
    pub fn new(game: &Game, known: &Invariants, cost: RelaxedCost) -> Result<Self, Refusal> {
        Self::within(game, known, cost, &Effort::within(&Watch::default()))
    }

    /// The same within limits on time and memory.
    pub(crate) fn within(
        game: &Game,
        known: &Invariants,
        cost: RelaxedCost,
        effort: &Effort<'_>,
    ) -> Result<Self, Refusal> {
        Ok(Self {
            relaxed: Relaxed::new(game, known, effort)?,
            cost,
            idle: Idle::default(),
        })
    }
}

impl Heuristic for RelaxedCosts {
    fn estimate(&self, state: &[u32]) -> u64 {
        let together = match self.cost {
            RelaxedCost::Max => Together::Greatest,
            RelaxedCost::Add | RelaxedCost::Plan => Together::Sum,
        };
        let new = || (Costs::new(&self.relaxed, together), Vec::new());
        self.idle.with(new, |(costs, facts)| {
            self.relaxed.put_facts(state, facts);
            match self.cost {
                RelaxedCost::Max | RelaxedCost::Add => costs.of_goal(&self.relaxed, facts),
                RelaxedCost::Plan => costs.of_plan(&self.relaxed, facts),
            }
        })
    }
}
