//! The earlier states that a new one can equal.

use psvn_ir::{Game, Relations};

/// Return whether each move can be undone by another one, so that the neighbors of a state at
/// distance d are at d - 1, d, or d + 1, and older layers can be forgotten.
pub fn moves_can_be_undone(game: &Game) -> bool {
    let relations = Relations::of(game);
    game.rules_with_ids()
        .all(|(id, rule)| rule.canonical.is_identity() || relations.inverse(id).is_some())
}
