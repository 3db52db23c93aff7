//! Why a heuristic can't be made as it was specified.

use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};

use container::files::reason;
use heuristics::Misfit;
use heuristics::check::CheckError;
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
    /// The game has no goal that tables could lead to.
    #[error("{game} has no goal, so there are no distances to it")]
    NoGoal {
        /// The name of the game.
        game: String,
    },
    /// Several tables would be written to something that isn't a file.
    #[error("`{}` is not a regular file, so it can't hold {tables} tables", path.display())]
    NotRegular {
        /// Its name.
        path: PathBuf,
        /// The number of tables.
        tables: usize,
    },
    /// A table can't be written.
    #[error("can't write `{}`: {}", path.display(), reason(error))]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// Writing a table was interrupted.
    #[error("interrupted")]
    Interrupted,
    /// Several processes can't build a table of shared costs.
    #[error("several processes build tables of full costs, not of shared ones")]
    SharedCostsTogether,
    /// Several processes can't build a table of coordinates.
    #[error("several processes build tables of abstractions, not of coordinates")]
    CoordinatesTogether,
    /// The estimates can't be checked.
    #[error(transparent)]
    Check(CheckError),
    /// One of several tables can't be built.
    #[error("{pattern}: {error}")]
    OfPattern {
        /// Its pattern.
        pattern: String,
        /// Why.
        error: BuildError,
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

    pub(crate) fn of_writing(path: &Path, error: io::Error) -> Self {
        Self::Write {
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
