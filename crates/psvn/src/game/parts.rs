//! Parts of rules, as a machine file holds them.

use fsm::RulePart;
use psvn_ir::{Term, Value, VarId};
use rule_splits::SplitGame;

use crate::error::Error;

/// The split game of a machine whose letters are parts of rules; `None` where they aren't.
///
/// # Errors
/// When the parts aren't those of the game's rules.
pub(crate) fn split_game(
    game: &psvn_ir::Game,
    parts: &[Vec<RulePart>],
) -> Result<Option<SplitGame>, Error> {
    if parts.is_empty() {
        return Ok(None);
    }
    SplitGame::of_parts(game, parts)
        .map(Some)
        .map_err(|error| Error::input(error.to_string()))
}

/// A condition as text, such as `x3 = red`; with numbers where the game has no names.
pub(crate) fn fact(game: &psvn_ir::Game, (position, value): (u32, u32)) -> String {
    let var = VarId(position);
    let exists = var.index() < game.n_variables() && (value as usize) < game.domain_of(var).size();
    let value = if exists {
        game.format_term(var, Term::constant(Value::from_index(value as usize)))
    } else {
        value.to_string()
    };
    format!("x{} = {value}", position + 1)
}
