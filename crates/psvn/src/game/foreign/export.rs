//! Games written in other formats.

use formats::{sas, twisty};
use psvn_ir::State;

use crate::error::Error;
use crate::game::Game;
use crate::text::{Parameter, message};

/// A game as a planning task.
#[derive(Clone, Debug)]
pub struct SasExport {
    /// The file.
    pub text: String,
    /// The number of its operators.
    pub n_operators: usize,
    /// The number of its axioms.
    pub n_axioms: usize,
}

/// Write a game as a planning task in SAS+, version 3, that begins in `start`, or else in the
/// start that the game declares.
///
/// # Errors
/// When there is no start, the game has no goal, or it would take too many operators.
pub fn export_sas(game: &Game, start: Option<&State>) -> Result<SasExport, Error> {
    let declared = match start {
        Some(_) => None,
        None => game.declared_start()?,
    };
    let start = start.or(declared.as_ref()).ok_or_else(|| {
        Error::usage(format!("{} doesn't say where the task begins", game.name())).with_hint(
            message![
                "give a state with `",
                Parameter::Start.is("\"STATE\""),
                "`, or a comment line `# start: STATE` in its text"
            ],
        )
    })?;
    let task = sas::from_game(game.ir(), start, sas::MOST_OPERATORS).map_err(|error| {
        let message = format!("{} can't be written in SAS+: {error}", game.name());
        match error {
            sas::ExportError::TooManyOperators { .. } => Error::limit(message),
            _ => Error::input(message),
        }
    })?;
    Ok(SasExport {
        text: sas::write(&task),
        n_operators: task.operators.len(),
        n_axioms: task.axioms.len(),
    })
}

/// Write a game whose rules only change the places of values as a twisty puzzle, a `.tws` file.
///
/// # Errors
/// When the format can't express the game: a rule does more, or programs for these files would make
/// moves that the game doesn't have.
pub fn export_tws(game: &Game) -> Result<String, Error> {
    twisty::to_tws(game.ir(), game.name())
        .map_err(|error| Error::input(format!("{} isn't a twisty puzzle: {error}", game.name())))
}
