//! The memory budget of a search, counted byte for byte.

use crate::run::limits::StopReason;

/// A count of the bytes that the tables of one search hold. Every allocation that grows with the
/// search is claimed here *before* it is made. While data moves to a larger allocation, both count.
#[derive(Debug)]
pub(crate) struct Budget {
    limit: usize,
    used: usize,
    peak: usize,
}

impl Budget {
    pub(crate) fn new(limit: Option<usize>) -> Self {
        Self {
            limit: limit.unwrap_or(usize::MAX),
            used: 0,
            peak: 0,
        }
    }

    /// Return the maximum number of bytes that were in use at any time.
    pub(crate) fn peak(&self) -> usize {
        self.peak
    }

    /// Return whether `bytes` more bytes may be used.
    pub(crate) fn affords(&self, bytes: usize) -> bool {
        bytes <= self.limit - self.used
    }

    /// Return whether three times the bytes in use are still free. Then a table that doubles now
    /// will be filled again.
    pub(crate) fn is_plentiful(&self) -> bool {
        self.used <= self.limit / 3
    }

    pub(crate) fn claim(&mut self, bytes: usize) -> Result<(), StopReason> {
        if !self.affords(bytes) {
            return Err(StopReason::Memory);
        }
        self.used += bytes;
        self.peak = self.peak.max(self.used);
        Ok(())
    }

    pub(crate) fn release(&mut self, bytes: usize) {
        self.used -= bytes;
    }

    /// Make room for `capacity` items in all.
    pub(crate) fn grow<T>(
        &mut self,
        items: &mut Vec<T>,
        capacity: usize,
    ) -> Result<(), StopReason> {
        let old = items.capacity();
        if capacity <= old {
            return Ok(());
        }
        let bytes = capacity
            .checked_mul(size_of::<T>())
            .ok_or(StopReason::Memory)?;
        self.claim(bytes)?;
        if items.try_reserve_exact(capacity - items.len()).is_err() {
            self.release(bytes);
            return Err(StopReason::Memory);
        }
        self.release(old * size_of::<T>());
        Ok(())
    }

    /// Append an item; double the capacity if it is full.
    pub(crate) fn push<T>(&mut self, items: &mut Vec<T>, item: T) -> Result<(), StopReason> {
        if items.len() == items.capacity() {
            self.grow(items, (items.len() * 2).max(16))?;
        }
        items.push(item);
        Ok(())
    }
}
