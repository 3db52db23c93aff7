//! Starts from which no goal can be reached, as far as that is proved without a search.

use std::cell::OnceCell;

use invariants::{Arrangements, NoWay, Refuter};
use psvn_ir::State;

use crate::game::Game;

/// The proof that a start has no solution.
#[derive(Clone, Debug)]
pub struct Refutation {
    /// Why there is none, to be read after the name of the start.
    pub proof: String,
    /// A hint: what to do about it.
    pub hint: String,
}

/// Proves that states have no solution.
pub(super) struct Solvability<'g> {
    named: &'g Game,
    proofs: Refuter<'g>,
    /// The same for the other goals of a built-in game, by their references; made when first
    /// needed.
    others: OnceCell<Vec<(String, psvn_ir::Game)>>,
}

/// Return the number of states that can be reached from a state, in digits, if the rules only move
/// values and the group of the moves is found in less than a second or so.
pub(crate) fn n_reachable(
    game: &psvn_ir::Game,
    state: &State,
    stop: &dyn Fn() -> bool,
) -> Option<String> {
    let arrangements = Arrangements::find(game, Arrangements::USUAL_WORK, stop)?;
    let n_states = arrangements.reachable(state, stop)?;
    Some(n_states.to_string())
}

impl<'g> Solvability<'g> {
    /// Prepare proofs until `stop` says to stop.
    pub(super) fn of(named: &'g Game, stop: &'g dyn Fn() -> bool) -> Self {
        Self {
            named,
            proofs: Refuter::of(&named.game, stop),
            others: OnceCell::new(),
        }
    }

    /// Why a state has no solution, and what to do about it.
    pub(super) fn refute(&self, state: &State) -> Option<Refutation> {
        let reason = self.proofs.refute(state)?;
        let others = self.others.get_or_init(|| self.other_goals());
        let fitting = others
            .iter()
            .find(|(_, game)| Refuter::of(game, &|| false).refute(state).is_none());
        let hint = match (&reason, fitting) {
            (_, Some((reference, _))) => format!(
                "the state may be written for `{reference}`: there, the goal may be reached"
            ),
            _ if self.is_declared(state) => {
                "the game itself declares this start, so no value is mistyped: the game as it is \
                 written can't be solved from there"
                    .to_owned()
            }
            (NoWay::Count(_), None) if self.proofs.has_values_once() => {
                "the state may be written for another goal, or have a value twice".to_owned()
            }
            (NoWay::Count(_), None) => {
                "the state may be written for another goal, or have a value where no rule takes it \
                 away, such as a box at a wall"
                    .to_owned()
            }
            (NoWay::Group(_), None) => {
                "values may be exchanged, or a piece of a puzzle turned in its place".to_owned()
            }
            (NoWay::Parity, None) if !others.is_empty() => {
                "half of all arrangements are like that; the state may have two values exchanged"
                    .to_owned()
            }
            (_, None) => {
                "half of all arrangements are like that; the state may be written for a goal with the \
                 blank in another corner, or have two values exchanged"
                    .to_owned()
            }
        };
        Some(Refutation {
            proof: reason.to_string(),
            hint,
        })
    }

    /// Whether the text of the game declares a state as a start.
    fn is_declared(&self, state: &State) -> bool {
        let names = self.named.start_names().into_iter();
        let named = names.filter_map(|name| self.named.start_of_name(name)?.ok());
        let unnamed = self.named.declared_start().ok().flatten();
        unnamed
            .into_iter()
            .chain(named)
            .any(|start| start == *state)
    }

    /// The built-in game with its other goals.
    #[cfg(feature = "domains")]
    fn other_goals(&self) -> Vec<(String, psvn_ir::Game)> {
        let Some(reference) = self.named.name.strip_prefix("gen:") else {
            return Vec::new();
        };
        let this = &self.named.game;
        domains::other_goals(reference)
            .into_iter()
            .filter_map(|other| {
                let text = domains::generate_reference(&other).ok()?;
                let game = psvn_ir::load(&text).game?;
                // The state must have the same meaning there: only goals may differ.
                (game.content_hash() == this.content_hash()).then(|| (format!("gen:{other}"), game))
            })
            .collect()
    }

    /// No game is built-in.
    #[cfg(not(feature = "domains"))]
    fn other_goals(&self) -> Vec<(String, psvn_ir::Game)> {
        Vec::new()
    }
}
