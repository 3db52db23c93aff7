//! Zeroed words, for which the system provides memory when they are first used.

use std::alloc::{Layout, alloc_zeroed};
use std::ops::Deref;
use std::sync::atomic::AtomicU64;

use crate::run::limits::StopReason;

/// Atomic words, initially zero.
///
/// A large number of them takes no time to make, and no memory before they are used.
#[derive(Debug)]
pub(crate) struct ZeroedWords(Vec<AtomicU64>);

impl ZeroedWords {
    /// # Errors
    /// If there is no memory.
    pub(crate) fn new(n: usize) -> Result<Self, StopReason> {
        if n == 0 {
            return Ok(Self(Vec::new()));
        }
        let layout = Layout::array::<AtomicU64>(n).map_err(|_| StopReason::Memory)?;
        // SAFETY: the layout is not empty, since there are words.
        let first = unsafe { alloc_zeroed(layout) }.cast::<AtomicU64>();
        if first.is_null() {
            return Err(StopReason::Memory);
        }
        // SAFETY: the memory is from the global allocator and has the layout of a vector of this
        // capacity; zero bytes are a valid word, so all of them are initialized.
        Ok(Self(unsafe { Vec::from_raw_parts(first, n, n) }))
    }
}

impl Deref for ZeroedWords {
    type Target = [AtomicU64];

    #[inline]
    fn deref(&self) -> &[AtomicU64] {
        &self.0
    }
}
