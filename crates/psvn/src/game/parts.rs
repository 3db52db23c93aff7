//! Parts of rules, as a machine file holds them.

use fsm::RulePart;
use psvn_ir::{Equation, Term, Value, VarId};
use rule_splits::{Letter, SplitGame};

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
    if parts.len() != game.rules().len() {
        return Err(Error::input("the machine's parts are those of other rules"));
    }
    let mut letters = Vec::new();
    for ((rule, _), of_rule) in game.rules_with_ids().zip(parts) {
        for part in of_rule {
            let condition = |(position, value): &(u32, u32)| Equation {
                position: VarId(*position),
                term: Term::constant(Value::from_index(*value as usize)),
            };
            letters.push(Letter {
                rule,
                conditions: part.conditions.iter().map(condition).collect(),
            });
        }
    }
    let split = SplitGame::of_letters(game, letters);
    split
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
