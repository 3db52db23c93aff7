//! Why a search on a disk fails or stops.

use sorted_states::FileError;

use crate::best_first::front::BestFirstError;
use crate::run::limits::StopReason;

/// Why a search whose states are on a disk can't begin or go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OnDiskError {
    /// The search can't begin.
    #[error(transparent)]
    Search(#[from] BestFirstError),
    /// A file or folder can't be used, or differs from what was written.
    #[error(transparent)]
    Files(#[from] FileError),
}

/// Why a part of a search ends early.
#[derive(Debug)]
pub(super) enum Halt {
    /// A limit is reached.
    Limit(StopReason),
    /// A file fails.
    File(FileError),
}

impl From<StopReason> for Halt {
    fn from(reason: StopReason) -> Self {
        Self::Limit(reason)
    }
}

impl From<FileError> for Halt {
    fn from(error: FileError) -> Self {
        match error {
            FileError::Quota(_) => Self::Limit(StopReason::Disk),
            _ => Self::File(error),
        }
    }
}
