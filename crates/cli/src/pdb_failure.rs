//! What went wrong with pattern databases, for the user.

use std::io;
use std::path::Path;

use budget::StopReason;
use pattern_databases::{BuildError, FileError};

use crate::failure::Failure;
use crate::input;
use crate::table_names;
use crate::units::{format_bytes, format_two_amounts};

/// A table can't be built.
pub(crate) fn of_building(error: BuildError) -> Failure {
    const FEWER: &str =
        "keep fewer values, or fewer variables; `psvn pdb --size` says what a pattern needs";
    match error {
        BuildError::Memory { needed, limit } => {
            let (needed, limit) = format_two_amounts(needed, limit.into());
            Failure::limit(format!(
                "the table needs {needed} while it is built, and {limit} are allowed"
            ))
            .hint(format!("allow more memory, or {FEWER}"))
        }
        BuildError::OutOfMemory(needed) => Failure::limit(format!(
            "the table needs {} while it is built, which this computer doesn't have",
            format_bytes(needed)
        ))
        .hint(FEWER),
        BuildError::Stopped(StopReason::Interrupted) => Failure::interrupted(error.to_string()),
        BuildError::Stopped(_) => Failure::limit(error.to_string()),
        BuildError::NotAdditive(_) | BuildError::FullCosts(_) => Failure::usage(error.to_string())
            .hint("without `--additive` the greatest of the estimates is used"),
        _ => Failure::input(error.to_string()),
    }
}

/// A file can't be read.
pub(crate) fn of_file(what: &str, path: &Path, error: FileError) -> Failure {
    let failure =
        |reason: String| Failure::input(format!("can't {what} `{}`: {reason}", path.display()));
    match error {
        FileError::Build(
            error @ (BuildError::Memory { .. }
            | BuildError::OutOfMemory(_)
            | BuildError::Stopped(_)),
        ) => of_building(error),
        FileError::Io(error) => {
            let failure = failure(input::reason(&error));
            if error.kind() != io::ErrorKind::NotFound {
                return failure;
            }
            let names: Vec<String> = table_names::existing(path)
                .iter()
                .map(|name| name.display().to_string())
                .collect();
            match names.len() {
                0 => failure,
                1 => failure.hint(format!("there is `{}`", names[0])),
                n => failure.hint(format!(
                    "there are {n} tables of that name: give `{}` if they were built with `--additive`, else `{}`",
                    names.join("+"),
                    names.join(","),
                )),
            }
        }
        error
        @ (FileError::Length { .. } | FileError::Checksum(_) | FileError::Inconsistent(_)) => {
            failure(error.to_string()).hint("build it again with `psvn pdb`")
        }
        error => failure(error.to_string()),
    }
}
