//! When to stop an analysis, and what to tell about it on the way.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What an analysis may use. The default is no limit.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// The time, from the call on.
    pub time: Option<Duration>,
    /// The bytes that the analysis may hold at any time, counted by its own bookkeeping.
    pub memory: Option<usize>,
    /// Stops the analysis soon after it becomes `true`.
    pub interrupt: Option<Arc<AtomicBool>>,
}

/// Why an analysis stopped before the length that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StopReason {
    /// The time was up.
    Time,
    /// The memory was used up.
    Memory,
    /// Somebody set [`Limits::interrupt`].
    Interrupted,
    /// The game is too large for any analysis: it has about 40,000 variables or more, or a sequence
    /// of the length that was asked for may cost 2^64 or more.
    TooLarge,
}

/// Where an analysis stands.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// The length of the sequences that are being compared.
    pub length: usize,
    /// How many of the words to be extended are done at this length.
    pub done: usize,
    /// How many there are.
    pub total: usize,
    /// The time since the start.
    pub elapsed: Duration,
    /// The bytes held.
    pub bytes: usize,
}

/// Is told how far an analysis is.
pub type Told<'a> = dyn Fn(&Progress) + Sync + 'a;

/// Watches the limits.
pub(crate) struct Watch<'a> {
    limits: &'a Limits,
    started: Instant,
}

impl<'a> Watch<'a> {
    pub(crate) fn new(limits: &'a Limits) -> Self {
        Self {
            limits,
            started: Instant::now(),
        }
    }

    /// The bytes that may be held, if they are limited.
    pub(crate) fn memory(&self) -> Option<usize> {
        self.limits.memory
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Tells how far a length is done, and then checks the limits.
    pub(crate) fn look(
        &self,
        length: usize,
        (done, total): (usize, usize),
        bytes: usize,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<(), StopReason> {
        progress(&Progress {
            length,
            done,
            total,
            elapsed: self.elapsed(),
            bytes,
        });
        self.check(bytes).map_or(Ok(()), Err)
    }

    pub(crate) fn check(&self, bytes: usize) -> Option<StopReason> {
        if self
            .limits
            .interrupt
            .as_ref()
            .is_some_and(|flag| flag.load(Ordering::Relaxed))
        {
            return Some(StopReason::Interrupted);
        }
        if self.limits.memory.is_some_and(|limit| bytes > limit) {
            return Some(StopReason::Memory);
        }
        if self
            .limits
            .time
            .is_some_and(|limit| self.started.elapsed() >= limit)
        {
            return Some(StopReason::Time);
        }
        None
    }
}

/// What going from length to length gave.
pub(crate) struct Deepened<L> {
    /// The length up to which everything is complete.
    pub(crate) max_length: usize,
    pub(crate) stopped: Option<StopReason>,
    pub(crate) levels: Vec<L>,
}

/// Does one length after the other, until one is the last, as `level` says beside what it found, or
/// a limit is reached.
pub(crate) fn deepen<L>(
    max_length: usize,
    mut level: impl FnMut(usize) -> Result<(L, bool), StopReason>,
) -> Deepened<L> {
    let mut deepened = Deepened {
        max_length,
        stopped: None,
        levels: Vec::new(),
    };
    for length in 1..=max_length {
        match level(length) {
            Ok((found, is_last)) => {
                deepened.levels.push(found);
                if is_last {
                    // Longer words have no kept parts, so there is nothing left to find.
                    break;
                }
            }
            Err(reason) => {
                deepened.max_length = deepened.levels.len();
                deepened.stopped = Some(reason);
                break;
            }
        }
    }
    deepened
}
