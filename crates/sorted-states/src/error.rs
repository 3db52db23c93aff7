//! Why files of states fail.

use std::io;
use std::path::{Path, PathBuf};

/// The reasons why states can't be written to files or read from them.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// A file or folder can't be made, read, written or removed.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// A file differs from what was written.
    #[error("{}: {problem}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The difference.
        problem: String,
    },
    /// Another process works in the folder.
    #[error("another process works in {}", .0.display())]
    InUse(PathBuf),
    /// The files would take more than this number of bytes, which is their quota.
    #[error("the files would take more than {0} bytes")]
    Quota(u64),
}

impl FileError {
    /// Make an error from the system's error about a file or folder.
    pub fn io(path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        |source| Self::Io {
            path: path.to_owned(),
            source,
        }
    }

    /// Make the error for a file that differs from what was written.
    pub fn damaged(path: &Path, problem: impl ToString) -> Self {
        Self::Damaged {
            path: path.to_owned(),
            problem: problem.to_string(),
        }
    }
}
