//! What a piece of work gives.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// What a piece of work gives.
pub trait PieceResult: Serialize + DeserializeOwned + Clone + Send + Sync + 'static {
    /// The work that it took, for progress and limits.
    fn nodes(&self) -> u64 {
        0
    }

    /// Whether pieces behind this one don't matter.
    fn is_last(&self) -> bool {
        false
    }
}
