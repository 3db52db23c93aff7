//! Limits on a search, and word of its progress.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// So many children are tried between two looks at the clock.
const POLL_INTERVAL: u64 = 1 << 13;

/// The same for searches that make nodes in batches.
const BATCH_POLL_INTERVAL: u64 = 1 << 17;

/// Progress is told no more often than this.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

/// What a search may use before it stops with what it has found out.
///
/// Nothing is limited by default.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// The most nodes that may be generated. The root doesn't count. Exact: the search
    /// stops before it generates one more.
    pub nodes: Option<u64>,
    /// The most time, over all iterations. Looked at every few thousand nodes.
    pub time: Option<Duration>,
    /// The most bytes for the path and what is remembered with it: some 100 to 200 for each move of
    /// the longest path in a small game. Only very long paths need more than some kilobytes; a search
    /// that may go to any depth should have this limit.
    pub memory: Option<usize>,
    /// Stops the search when another thread, or a signal handler, sets it.
    pub interrupt: Option<Arc<AtomicBool>>,
}

/// Why a search stopped before it had an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StopReason {
    /// [`Limits::nodes`] is reached.
    Nodes,
    /// [`Limits::time`] is over.
    Time,
    /// [`Limits::memory`] is used up, or the system has no more.
    Memory,
    /// [`Limits::interrupt`] was set.
    Interrupted,
    /// All that is left are paths whose cost, or estimated total cost, doesn't fit in 64 bits.
    CostOverflow,
}

impl std::fmt::Display for StopReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            StopReason::Nodes => "the limit on nodes is reached",
            StopReason::Time => "the time is over",
            StopReason::Memory => "the memory is used up",
            StopReason::Interrupted => "interrupted",
            StopReason::CostOverflow => "the costs of the remaining paths don't fit in 64 bits",
        })
    }
}

/// How far a search is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Nodes generated, over all iterations.
    pub generated: u64,
    /// The bound of the current iteration: a depth or a cost.
    pub bound: u64,
    /// The time since the search began.
    pub elapsed: Duration,
}

/// The callback that is told of progress.
pub(crate) type ProgressFn<'a> = dyn FnMut(&Progress) + 'a;

/// Watches over the limits of one search.
pub(crate) struct Watch<'s, 'p> {
    limits: &'s Limits,
    progress: Option<&'s mut Box<ProgressFn<'p>>>,
    started: Instant,
    told: Duration,
    generated: u64,
    /// The bound of the current iteration.
    pub(crate) bound: u64,
}

impl<'s, 'p> Watch<'s, 'p> {
    pub(crate) fn new(limits: &'s Limits, progress: Option<&'s mut Box<ProgressFn<'p>>>) -> Self {
        Self {
            limits,
            progress,
            started: Instant::now(),
            told: Duration::ZERO,
            generated: 0,
            bound: 0,
        }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// The nodes that were noted so far.
    pub(crate) fn generated(&self) -> u64 {
        self.generated
    }

    /// Takes note of nodes generated.
    pub(crate) fn note(&mut self, generated: u64) {
        self.generated += generated;
    }

    /// Looks at the limits. Gives the number of children that may be tried before the next look: no
    /// more than may still be generated.
    pub(crate) fn poll(&mut self) -> Result<u64, StopReason> {
        Ok(self.left()?.min(POLL_INTERVAL))
    }

    /// The same for a search that is about to make `wanted` nodes at once.
    pub(crate) fn poll_for(&mut self, wanted: u64) -> Result<u64, StopReason> {
        Ok(self.left()?.min(wanted.max(BATCH_POLL_INTERVAL)))
    }

    /// Looks at the limits. Gives the number of nodes that may still be generated.
    fn left(&mut self) -> Result<u64, StopReason> {
        let elapsed = self.elapsed();
        if self
            .limits
            .interrupt
            .as_ref()
            .is_some_and(|flag| flag.load(Ordering::Relaxed))
        {
            return Err(StopReason::Interrupted);
        }
        if self.limits.time.is_some_and(|time| elapsed >= time) {
            return Err(StopReason::Time);
        }
        let left = self
            .limits
            .nodes
            .map_or(u64::MAX, |nodes| nodes.saturating_sub(self.generated));
        if left == 0 {
            return Err(StopReason::Nodes);
        }
        if elapsed >= self.told + PROGRESS_INTERVAL
            && let Some(progress) = &mut self.progress
        {
            self.told = elapsed;
            progress(&Progress {
                generated: self.generated,
                bound: self.bound,
                elapsed,
            });
        }
        Ok(left)
    }

    /// The most bytes for the stack.
    pub(crate) fn memory(&self) -> usize {
        self.limits.memory.unwrap_or(usize::MAX)
    }
}
