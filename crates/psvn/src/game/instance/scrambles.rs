//! Instance files of other programs: moves from the goal, and scenarios on maps.

pub(super) use formats::maps::instances as scenarios;
pub(super) use formats::scrambles::repeated_names;
use formats::scrambles::{self, begins_with_block};
use psvn_ir::instances::Instance;
use psvn_syntax::Diagnostic;

use super::InstanceFormat;
use crate::error::Error;
use crate::game::Game;

/// Whether a file has scrambles, by the given format or by its content.
pub(super) fn is_meant(text: &str, format: InstanceFormat) -> bool {
    match format {
        InstanceFormat::Scrambles => true,
        InstanceFormat::Auto => begins_with_block(text),
        InstanceFormat::Plain | InstanceFormat::Korf => false,
    }
}

/// The instances of a file of scrambles, or all errors with their places.
pub(super) fn read(
    text: &str,
    game: &Game,
) -> Result<Result<Vec<Instance>, Vec<Diagnostic>>, Error> {
    Ok(scrambles::read(text, &game.mover(game.scramble_start()?)))
}
