//! What searches prune: by machine files, and as [`length_choice`] decides.

use std::path::Path;

use length_choice::SearchError;
use move_prune::Limits;
use psvn_ir::State;
use redundancy::SearchFor;
use redundancy::file::SafeMachine;

pub use length_choice::{PreparedPruning, PruneSpec, Purpose};

use crate::environment::Environment;
use crate::error::Error;
use crate::game::{Game, machine_file};

/// The number of nodes from which on a machine that prunes nothing counts as useless.
pub(super) const NODES_TO_TELL: u128 = 10_000;

/// Read or make the machine of searches. An analysis obeys the limits, and its result within them
/// is used.
///
/// # Errors
/// When a machine file can't be used, or a machine doesn't fit in memory.
pub fn prepare_pruning(
    spec: &PruneSpec,
    game: &Game,
    purpose: Purpose<'_>,
    limits: Limits,
    env: &Environment,
) -> Result<PreparedPruning, Error> {
    let PruneSpec::File(path) = spec else {
        return Ok(PreparedPruning::make(
            spec,
            game.ir(),
            purpose,
            limits,
            env,
        )?);
    };
    let Purpose {
        starts,
        bounded_by_moves,
        search_for,
        ..
    } = purpose;
    let machine = open_machine(path, game, starts, bounded_by_moves, search_for)?;
    let name = path.display().to_string();
    Ok(PreparedPruning::by_machine(
        &name,
        machine,
        game.ir(),
        purpose,
        env,
    ))
}

/// Open a machine file for searches from some states, bounded by the number of moves or else by
/// cost.
///
/// # Errors
/// When the file can't be used for such searches; see [`SafeMachine::of`].
pub(super) fn open_machine(
    path: &Path,
    game: &Game,
    starts: &[State],
    bounded_by_moves: bool,
    search_for: SearchFor,
) -> Result<SafeMachine, Error> {
    let file = machine_file::open_for(path, game.ir(), game.name())?;
    let game = (game.ir(), game.name());
    Ok(SafeMachine::of(
        &file,
        path,
        game,
        starts,
        bounded_by_moves,
        search_for,
    )?)
}

impl From<SearchError> for Error {
    fn from(error: SearchError) -> Self {
        match error {
            SearchError::Start(error) => error.into(),
            SearchError::Analysis(error) => error.into(),
            other => Self::wrong(other.to_string()),
        }
    }
}
