//! Parts of rules, as a machine file holds them.

use fsm::RulePart;
use psvn_ir::{Game, Value, VarId};
use rule_splits::SplitGame;

use crate::Error;

/// Return the split game of a machine whose letters are parts of rules; `None` where they aren't.
///
/// # Errors
/// When the parts aren't those of the game's rules.
pub fn split_game(game: &Game, parts: &[Vec<RulePart>]) -> Result<Option<SplitGame>, Error> {
    if parts.is_empty() {
        return Ok(None);
    }
    SplitGame::of_parts(game, parts)
        .map(Some)
        .map_err(|error| Error::input(error.to_string()))
}

/// A condition as text, such as `x3 = red`.
pub(crate) fn fact(game: &Game, (position, value): (u32, u32)) -> String {
    game.format_fact(VarId(position), Value::from_index(value as usize))
}
