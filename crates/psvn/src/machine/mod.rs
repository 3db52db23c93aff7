//! Machines: building them, machine files, and the names of their letters.

mod verify;

pub use crate::game::{LetterNames, machine_file as file};
pub use redundancy::{
    ComesFirst, FailedCertificate, LengthRange, MachineFlaw, RedundantWord, ReplacedBy, TableRow,
    TransitionTable, Verification, WordFilter, WordList,
};

pub use self::verify::verify;
pub use analyses::{MachineDescription, Transfer, TransferReport, TransferRequest, budget};

use std::path::Path;

use rule_splits::SplitRule;

use crate::environment::Environment;
use crate::error::Error;
use crate::game::Game;

/// Make a machine over labels for another game, proving each instance of each word there; see
/// [`analyses::transfer`].
///
/// # Errors
/// When the file can't be read or was made for another game than `from`, its letters have no
/// labels, its order can't be carried over, the games share no label, the new machine would be too
/// large, or it is interrupted. A word that fails isn't an error.
pub fn transfer(request: &TransferRequest<'_>, env: &Environment) -> Result<Transfer, Error> {
    let from = request.from;
    let opened = file::open_for(request.machine, from.game, from.name)?;
    Ok(analyses::transfer(request, &opened, env)?)
}

/// Return the rules of a game that a machine file splits, with their parts and the reasons.
///
/// # Errors
/// When the file can't be read, or was made for another game.
pub fn split_rules(game: &Game, path: &Path) -> Result<Vec<SplitRule>, Error> {
    let opened = file::open_for(path, game.ir(), game.name())?;
    Ok(file::rules_of_file(path, &opened, game.ir())?)
}
