//! Counting the positions that a search visits, within its limits.

use std::time::Duration;

use budget::{Limits, StopReason, Watch};

/// The number of positions between two checks of the clock: solving a game takes microseconds for
/// each.
const POLL_INTERVAL: u64 = 1 << 12;

/// Counts the positions of one search and stops it at its limits.
#[derive(Debug)]
pub(crate) struct Visits {
    watch: Watch,
    nodes: u64,
    /// The number of visits at which the limits are checked next.
    next_look: u64,
    stopped: Option<StopReason>,
}

impl Visits {
    pub(crate) fn new(limits: &Limits) -> Self {
        Self {
            watch: Watch::new(limits.clone()),
            nodes: 0,
            next_look: 0,
            stopped: None,
        }
    }

    /// Return the number of positions visited so far.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.watch.elapsed()
    }

    /// Return why the search stopped, if it did.
    pub(crate) fn stopped(&self) -> Option<StopReason> {
        self.stopped
    }

    /// Record a visit; return whether it is allowed.
    #[inline(always)]
    pub(crate) fn visit(&mut self) -> bool {
        if self.nodes >= self.next_look && !self.look() {
            return false;
        }
        self.nodes += 1;
        true
    }

    #[cold]
    #[inline(never)]
    fn look(&mut self) -> bool {
        if self.stopped.is_none() {
            self.stopped = self.watch.check(self.nodes, 0).err();
        }
        self.next_look = match self.stopped {
            // Every later visit checks the limits and is refused.
            Some(_) => self.nodes,
            None => {
                let limit = self.watch.limits().nodes.unwrap_or(u64::MAX);
                (self.nodes + POLL_INTERVAL).min(limit)
            }
        };
        self.stopped.is_none()
    }
}
