//! Limits on a search.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// So many positions are visited between two looks at the clock: solving a game takes microseconds for each.
const POLL_INTERVAL: u64 = 1 << 12;

/// What a search may use before it stops with what it has found out. Nothing is limited by default.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// The most positions that may be visited, over all iterations.
    pub nodes: Option<u64>,
    /// The most time, over all iterations. Looked at every few thousand positions.
    pub time: Option<Duration>,
    /// Stops the search when another thread, or a signal handler, sets it.
    pub interrupt: Option<Arc<AtomicBool>>,
}

/// Why a search stopped before it was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StopReason {
    /// [`Limits::nodes`] is reached.
    Nodes,
    /// [`Limits::time`] is over.
    Time,
    /// [`Limits::interrupt`] was set.
    Interrupted,
    /// There are more positions than may be kept.
    Memory,
}

impl std::fmt::Display for StopReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            StopReason::Nodes => "the limit on positions is reached",
            StopReason::Time => "the time is over",
            StopReason::Interrupted => "interrupted",
            StopReason::Memory => "the memory is used up",
        })
    }
}

/// Watches over the limits of one search and counts positions.
#[derive(Debug)]
pub(crate) struct Watch<'a> {
    limits: &'a Limits,
    started: Instant,
    nodes: u64,
    /// The limits are looked at when so many are visited.
    next_look: u64,
    stopped: Option<StopReason>,
}

impl<'a> Watch<'a> {
    pub(crate) fn new(limits: &'a Limits) -> Self {
        Self {
            limits,
            started: Instant::now(),
            nodes: 0,
            next_look: 0,
            stopped: None,
        }
    }

    /// Positions visited so far.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Why the search stopped, if it did.
    pub(crate) fn stopped(&self) -> Option<StopReason> {
        self.stopped
    }

    /// Takes note of a position that is visited; says whether it may be.
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
        let limits = self.limits;
        let interrupted = |flag: &Arc<AtomicBool>| flag.load(Ordering::Relaxed);
        if self.stopped.is_none() {
            self.stopped = if limits.interrupt.as_ref().is_some_and(interrupted) {
                Some(StopReason::Interrupted)
            } else if limits.time.is_some_and(|time| self.elapsed() >= time) {
                Some(StopReason::Time)
            } else if limits.nodes.is_some_and(|nodes| self.nodes >= nodes) {
                Some(StopReason::Nodes)
            } else {
                None
            };
        }
        self.next_look = match self.stopped {
            // Every visit from now on looks, and is refused.
            Some(_) => self.nodes,
            None => (self.nodes + POLL_INTERVAL).min(limits.nodes.unwrap_or(u64::MAX)),
        };
        self.stopped.is_none()
    }
}
