//! Why a heuristic can't be made as it was specified.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use heuristics::Misfit;
use pattern_databases::{BuildError, FileError};

/// Why a heuristic can't be made as it was specified.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PrepareError {
    /// A heuristic with a name doesn't fit the game, or wasn't made within the limits.
    #[error(transparent)]
    Misfit(#[from] Misfit),
    /// A start breaks what a table assumes.
    #[error("the start {start} breaks what {heuristic} assumes: {violation}")]
    Start {
        /// The start, as text.
        start: String,
        /// The heuristic.
        heuristic: String,
        /// What is broken.
        violation: Box<invariants::Violation>,
    },
    /// A text isn't a pattern for the game.
    #[error("pattern `{text}`: {why}")]
    Pattern {
        /// The text.
        text: String,
        /// What is wrong.
        why: String,
    },
    /// A table of coordinates stands beside other tables.
    #[error("a table of coordinates can't be combined with other tables")]
    CoordinatesAndOthers,
    /// A sum has files and patterns.
    #[error(
        "a sum is of files or of patterns, not of both: how costs are shared is decided for all of its tables together"
    )]
    FilesAndPatterns,
    /// Tables can't be added up.
    #[error("{tables} may estimate too high: {error}")]
    NotAdditive {
        /// The tables.
        tables: String,
        /// Why.
        error: BuildError,
    },
    /// A file of a table can't be used.
    #[error("can't use `{}`: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        error: FileError,
    },
    /// A table can't be built.
    #[error(transparent)]
    Build(#[from] BuildError),
}

impl PrepareError {
    pub(crate) fn of_file(path: &Path, error: FileError) -> Self {
        Self::File {
            path: path.to_owned(),
            error,
        }
    }

    pub(crate) fn of_pattern(text: &str, why: &dyn Display) -> Self {
        Self::Pattern {
            text: text.to_owned(),
            why: why.to_string(),
        }
    }
}
