//! What went wrong with pattern databases, for the user.

use std::path::Path;

use pattern_databases::{BuildError, FileError};

use crate::failure::Failure;
use crate::input;

/// A table can't be built.
pub(crate) fn of_building(error: BuildError) -> Failure {
    let message = error.to_string();
    match error {
        BuildError::Memory { .. } | BuildError::OutOfMemory(_) => Failure::limit(message).hint(
            "`psvn pdb --size` tells the sizes without building; keep fewer values, or allow more memory",
        ),
        BuildError::Time => Failure::limit(message),
        BuildError::Interrupted => Failure::interrupted(message),
        BuildError::NotAdditive(_) | BuildError::FullCosts(_) => Failure::usage(message)
            .hint("without `--additive` the greatest of the estimates is used"),
        _ => Failure::input(message),
    }
}

/// A file can't be read or written.
pub(crate) fn of_file(what: &str, path: &Path, error: &FileError) -> Failure {
    let reason = match error {
        FileError::Io(error) => input::reason(error),
        other => other.to_string(),
    };
    Failure::input(format!("can't {what} `{}`: {reason}", path.display()))
}
