//! Checks of the limits on nodes and time while a search runs.

use std::time::Duration;

use crate::run::limits::{StopReason, Watch};

/// The maximum number of nodes without children between two checks of the clock.
const IDLE_INTERVAL: u64 = 1 << 12;

/// Counts down to the next check of the limits.
pub(crate) struct Countdown<'s, 'p> {
    watch: Watch<'s, 'p>,
    left: u64,
    pending: u64,
    idle: u64,
}

impl<'s, 'p> Countdown<'s, 'p> {
    pub(crate) fn new(watch: Watch<'s, 'p>) -> Self {
        Self {
            watch,
            left: 0,
            pending: 0,
            idle: 0,
        }
    }

    /// Return what watches over the limits.
    pub(crate) fn watch(&mut self) -> &mut Watch<'s, 'p> {
        &mut self.watch
    }

    /// Set the bound that is reported from now on: a depth, or an estimated total cost.
    #[inline]
    pub(crate) fn set_bound(&mut self, bound: u64) {
        self.watch.bound = bound;
    }

    /// Check whether one more child may be made.
    #[inline]
    pub(crate) fn child(&mut self) -> Result<(), StopReason> {
        if self.left == 0 {
            self.watch.note(std::mem::take(&mut self.pending));
            self.left = self.watch.poll()?;
        }
        self.left -= 1;
        self.pending += 1;
        Ok(())
    }

    /// Count a node that is about to be expanded.
    #[inline]
    pub(crate) fn node(&mut self) -> Result<(), StopReason> {
        self.idle += 1;
        if self.idle.is_multiple_of(IDLE_INTERVAL) {
            self.watch.note(std::mem::take(&mut self.pending));
            self.left = match self.watch.poll() {
                // Expanding a node generates nothing by itself.
                Err(StopReason::Nodes) => 0,
                left => left?,
            };
        }
        Ok(())
    }

    /// Return the time of the preparation, and the time of the search itself.
    pub(crate) fn times(&self) -> (Duration, Duration) {
        self.watch.times()
    }
}
