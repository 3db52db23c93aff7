//! Memory for computations that run at the same time.

use std::fmt;
use std::sync::Mutex;

/// Memory that no computation uses at present.
pub(super) struct Idle<M>(Mutex<Vec<M>>);

impl<M> Idle<M> {
    /// Compute with idle memory, or with new memory if there is none.
    pub(super) fn with<T>(&self, new: impl Fn() -> M, compute: impl FnOnce(&mut M) -> T) -> T {
        let idle = || self.0.lock().expect("no computation panics");
        let kept = idle().pop();
        let mut memory = kept.unwrap_or_else(new);
        let result = compute(&mut memory);
        idle().push(memory);
        result
    }
}

impl<M> Default for Idle<M> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

/// A copy begins without memory.
impl<M> Clone for Idle<M> {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl<M> fmt::Debug for Idle<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Idle").finish_non_exhaustive()
    }
}
