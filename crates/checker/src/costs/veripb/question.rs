//! What a formula asks.

use crate::costs::estimates::potential::Potential;
use crate::costs::setting::prepared::Prepared;
use crate::costs::veripb::failure::ExportFailure;
use crate::costs::veripb::script::MOST_BYTES;

/// Is there a plan that costs at most `budget`?
pub(super) struct Question<'c> {
    pub(super) game: Prepared<'c>,
    pub(super) budget: u64,
    /// The least cost of a rule; 1 if there is none.
    pub(super) least_cost: u64,
    /// No such plan has more moves.
    pub(super) n_steps: u64,
    /// Each is a lower bound on what a plan costs.
    pub(super) potentials: Vec<&'c Potential>,
}

impl<'c> Question<'c> {
    pub(super) fn new(
        game: Prepared<'c>,
        budget: u64,
        potentials: &'c [Potential],
    ) -> Result<Self, ExportFailure> {
        if let Some(rule) = game.moves.iter().position(|it| it.cost == 0) {
            return Err(ExportFailure::FreeRule { rule });
        }
        let least_cost = game.moves.iter().map(|it| it.cost).min();
        let least_cost = least_cost.unwrap_or(1);
        let n_steps = if game.moves.is_empty() {
            0
        } else {
            budget / least_cost
        };
        let question = Self {
            game,
            budget,
            least_cost,
            n_steps,
            potentials: potentials.iter().filter(|it| it.has_weights()).collect(),
        };
        // Each variable takes more than 16 bytes.
        if question.n_variables() > MOST_BYTES as u64 / 16 {
            return Err(ExportFailure::TooLarge { most: MOST_BYTES });
        }
        Ok(question)
    }

    /// The number of variables of the formula.
    pub(super) fn n_variables(&self) -> u64 {
        let n_facts: u64 = self.game.domains.iter().map(|size| u64::from(*size)).sum();
        let of_states = n_facts.saturating_mul(self.n_steps + 1);
        let of_moves = self.n_steps.saturating_mul(self.game.moves.len() as u64);
        of_states.saturating_add(of_moves) + self.game.goals.len() as u64
    }
}
