//! Starts from which no goal can be reached, as far as that shows without a search.

use invariants::{Conserved, Parity, StartSet, find};
use psvn_ir::{Game, State};

/// Looking for what no rule changes takes long in larger games; then nothing is said.
const MOST_WORK: usize = 5_000_000;

/// What tells that a state has no solution.
pub(super) struct Solvability<'g> {
    game: &'g Game,
    conserved: Option<Conserved>,
    goals: Vec<StartSet>,
    /// A parity, and the one goal state.
    parity: Option<(Parity, State)>,
}

impl<'g> Solvability<'g> {
    pub(super) fn of(game: &'g Game) -> Self {
        let goals: Vec<StartSet> = game.goals().iter().map(StartSet::from).collect();
        let is_small = game.rules().len() * game.n_variables() <= MOST_WORK;
        Self {
            game,
            conserved: (is_small && !goals.is_empty()).then(|| find(game)),
            goals,
            parity: game
                .goal_state()
                .and_then(|goal| Some((Parity::find(game)?, goal))),
        }
    }

    /// Why a state has no solution, and what to do about it.
    pub(super) fn refute(&self, state: &State) -> Option<(String, &'static str)> {
        let conserved = self.conserved.as_ref()?;
        if let Some(violation) = conserved.separation(self.game, state, &self.goals) {
            return Some((
                violation.to_string(),
                "the state may be written for another goal, or have a value twice",
            ));
        }
        let (parity, goal) = self.parity.as_ref()?;
        (parity.separates(state, goal) == Some(true)).then_some((
            "it has another parity than the goal, which no rule changes".to_owned(),
            "half of all arrangements are like that; the state may be written for a goal with the blank \
             in another corner, or have two values exchanged",
        ))
    }
}
