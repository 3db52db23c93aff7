//! Sets of positions that several threads add to.

use std::sync::atomic::{AtomicU16, AtomicU32, AtomicU64, Ordering};

use crate::progress::BuildError;
use crate::table::large_pages::zeros;

/// One set for each arrangement, in as few bytes as its positions need.
///
/// The size is found again at each access. That takes next to nothing beside the memory.
pub(super) enum Sets {
    Two(Vec<AtomicU16>),
    Four(Vec<AtomicU32>),
    Eight(Vec<AtomicU64>),
}

impl Sets {
    /// Return `n` empty sets of 2, 4 or 8 bytes.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub(super) fn empty(bytes: u64, n: u64) -> Result<Self, BuildError> {
        Ok(match bytes {
            2 => Self::Two(zeros(n)?),
            4 => Self::Four(zeros(n)?),
            _ => Self::Eight(zeros(n)?),
        })
    }

    /// Return a set.
    #[inline(always)]
    pub(super) fn get(&self, entry: u32) -> u64 {
        let entry = entry as usize;
        match self {
            Self::Two(sets) => u64::from(sets[entry].load(Ordering::Relaxed)),
            Self::Four(sets) => u64::from(sets[entry].load(Ordering::Relaxed)),
            Self::Eight(sets) => sets[entry].load(Ordering::Relaxed),
        }
    }

    /// Add positions to a set. Return those that were already there.
    #[inline(always)]
    pub(super) fn add(&self, entry: u32, positions: u64) -> u64 {
        let entry = entry as usize;
        match self {
            Self::Two(sets) => u64::from(sets[entry].fetch_or(positions as u16, Ordering::Relaxed)),
            Self::Four(sets) => {
                u64::from(sets[entry].fetch_or(positions as u32, Ordering::Relaxed))
            }
            Self::Eight(sets) => sets[entry].fetch_or(positions, Ordering::Relaxed),
        }
    }
}
