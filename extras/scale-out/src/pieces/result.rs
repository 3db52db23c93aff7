//! The result of a piece of work.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// The result of a piece of work.
pub trait PieceResult: Serialize + DeserializeOwned + Clone + Send + Sync + 'static {
    /// Return the work done, for progress and limits.
    fn nodes(&self) -> u64 {
        0
    }

    /// Return whether later pieces no longer matter.
    fn is_last(&self) -> bool {
        false
    }
}
