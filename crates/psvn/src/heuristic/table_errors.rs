//! Errors of pattern databases, for the user.

use std::io;
use std::path::Path;

use budget::StopReason;
use heuristic_choice::tables::names;
use pattern_databases::{BuildError, FileError};

use crate::error::Error;
use crate::store::read::reason;
use crate::text::units::{format_bytes, format_two_amounts};
use crate::text::{Parameter, Task, message};

/// Return the error that a table can't be built.
pub(crate) fn of_building(error: BuildError) -> Error {
    let fewer = message![
        "keep fewer values, or fewer variables; ",
        Task::SizeTables,
        " what a pattern needs"
    ];
    match error {
        BuildError::Memory { needed, limit } => {
            let (needed, limit) = format_two_amounts(needed, limit.into());
            Error::limit(format!(
                "the table needs {needed} while it is built, and {limit} are allowed"
            ))
            .with_hint(message!["allow more memory, or ", fewer])
        }
        BuildError::OutOfMemory(needed) => Error::limit(format!(
            "the table needs {} while it is built, which this computer doesn't have",
            format_bytes(needed)
        ))
        .with_hint(fewer),
        BuildError::Stopped(StopReason::Interrupted) => Error::interrupted(error.to_string()),
        BuildError::Stopped(_) => Error::limit(error.to_string()),
        BuildError::NotAdditive(_) | BuildError::FullCosts(_) => Error::usage(error.to_string())
            .with_hint(message![
                "without `",
                Parameter::Additive,
                "` the greatest of the estimates is used"
            ]),
        _ => Error::input(error.to_string()),
    }
}

/// Return the error that a file can't be read.
pub(crate) fn of_file(what: &str, path: &Path, error: FileError) -> Error {
    let failure =
        |reason: String| Error::input(format!("can't {what} `{}`: {reason}", path.display()));
    match error {
        FileError::Build(
            error @ (BuildError::Memory { .. }
            | BuildError::OutOfMemory(_)
            | BuildError::Stopped(_)),
        ) => of_building(error),
        FileError::Io(error) => {
            let failure = failure(reason(&error));
            if error.kind() != io::ErrorKind::NotFound {
                return failure;
            }
            let names: Vec<String> = names::existing(path)
                .iter()
                .map(|name| name.display().to_string())
                .collect();
            match names.len() {
                0 => failure,
                1 => failure.with_hint(format!("there is `{}`", names[0])),
                n => failure.with_hint(message![
                    format!(
                        "there are {n} tables of that name: give `{}`",
                        names.join("+")
                    ),
                    " if they were built with `",
                    Parameter::Additive,
                    format!("`, else `{}`", names.join(",")),
                ]),
            }
        }
        error
        @ (FileError::Length { .. } | FileError::Checksum(_) | FileError::Inconsistent(_)) => {
            failure(error.to_string())
                .with_hint(message!["build it again with ", Task::BuildTables])
        }
        error => failure(error.to_string()),
    }
}
