//! Stands for instance files of other programs where this library was built without other formats.

use psvn_ir::instances::Instance;
use psvn_syntax::Diagnostic;

use super::InstanceFormat;
use crate::error::Error;
use crate::game::Game;

/// Whether the given format is that of scrambles.
pub(super) fn is_meant(_: &str, format: InstanceFormat) -> bool {
    format == InstanceFormat::Scrambles
}

/// Fail: scrambles aren't read.
pub(super) fn read(_: &str, _: &Game) -> Result<Result<Vec<Instance>, Vec<Diagnostic>>, Error> {
    Err(Error::usage(
        "this program was built without instances as scrambles",
    ))
}

/// Return that no text has scenarios.
pub(super) fn scenarios(_: &str) -> Option<Result<String, Vec<Diagnostic>>> {
    None
}

/// Return no warnings.
pub(super) fn repeated_names(_: &[Instance]) -> Vec<Diagnostic> {
    Vec::new()
}
