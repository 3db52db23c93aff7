//! Replay of move sequences by the meaning of the rules, without the compiled game.

use psvn_ir::{Game, RuleId, State, VarId};

use crate::game::compiled::{StateMismatch, check_state};

/// Why a sequence of moves can't be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// The start state is not a state of the game.
    #[error(transparent)]
    Start(#[from] StateMismatch),
    /// The game has no such rule.
    #[error("move {}: there is no rule {}; the game has {n_rules} rules", step + 1, rule.0 + 1)]
    UnknownRule {
        /// The move, counted from 0.
        step: usize,
        /// The rule.
        rule: RuleId,
        /// The number of rules of the game.
        n_rules: usize,
    },
    /// The rule doesn't apply to the state that results from the moves before it.
    #[error("move {}: rule `{label}` does not apply", step + 1)]
    NotApplicable {
        /// The move, counted from 0.
        step: usize,
        /// The rule.
        rule: RuleId,
        /// The rule's label.
        label: String,
        /// The state in which it doesn't apply.
        state: State,
    },
}

/// Return the state that a sequence of moves leads to.
///
/// This uses the canonical rules alone, so it checks the results of the compiled searches.
/// [`Game::is_goal`] returns whether the last state is a goal.
///
/// # Errors
/// When the start state is not a state of the game, or at the first move that can't be made.
pub fn replay(game: &Game, start: &State, moves: &[RuleId]) -> Result<State, ReplayError> {
    let domain_sizes = (0..game.n_variables()).map(|i| game.domain_of(VarId::from_index(i)).size());
    check_state(domain_sizes, start.values())?;
    let mut state = start.clone();
    for (step, id) in moves.iter().enumerate() {
        let Some(rule) = game.rules().get(id.index()) else {
            return Err(ReplayError::UnknownRule {
                step,
                rule: *id,
                n_rules: game.rules().len(),
            });
        };
        if !rule.canonical.applies_to(state.values()) {
            let label = rule.label.to_string();
            return Err(ReplayError::NotApplicable {
                step,
                rule: *id,
                label,
                state,
            });
        }
        state = State::new(rule.canonical.apply(state.values()));
    }
    Ok(state)
}
