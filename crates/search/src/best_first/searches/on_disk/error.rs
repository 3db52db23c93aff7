//! Why a search on a disk fails or stops.

use std::path::{Path, PathBuf};

use crate::best_first::front::BestFirstError;
use crate::run::limits::StopReason;

/// Why a search whose states are on a disk can't begin or go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OnDiskError {
    /// The search can't begin.
    #[error(transparent)]
    Search(#[from] BestFirstError),
    /// A file or folder can't be made, read, written or removed.
    #[error("{}: {source}", path.display())]
    File {
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// A file differs from what was written.
    #[error("{}: {problem}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The difference.
        problem: &'static str,
    },
}

/// Make an error from the system's error about a file.
pub(super) fn file_error(path: &Path) -> impl FnOnce(std::io::Error) -> OnDiskError + '_ {
    |source| OnDiskError::File {
        path: path.to_owned(),
        source,
    }
}

/// Why a part of a search ends early.
#[derive(Debug)]
pub(super) enum Halt {
    /// A limit is reached.
    Limit(StopReason),
    /// A file fails.
    File(OnDiskError),
}

impl From<StopReason> for Halt {
    fn from(reason: StopReason) -> Self {
        Self::Limit(reason)
    }
}

impl From<OnDiskError> for Halt {
    fn from(error: OnDiskError) -> Self {
        Self::File(error)
    }
}
