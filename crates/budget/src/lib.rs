//! Limits of long computations, reasons to stop, progress, and amounts as text.
//!
//! Analyses, searches and builders of tables share these types, so that a caller sets one kind of
//! [`Limits`], handles one [`StopReason`], and shows one [`Progress`].
//!
//! ```
//! use std::time::Duration;
//!
//! use budget::{Limits, StopReason, Watch};
//!
//! let limits = Limits { nodes: Some(1_000), ..Limits::default() };
//! let watch = Watch::new(limits.clone());
//! assert_eq!(watch.check(999, 0), Ok(()));
//! assert_eq!(watch.check(1_000, 0), Err(StopReason::Nodes));
//! let no_time = Watch::new(Limits { time: Some(Duration::ZERO), ..limits });
//! assert_eq!(no_time.check(0, 0), Err(StopReason::Time));
//! ```

pub mod amounts;
mod choice;
#[cfg(feature = "serde")]
mod exact;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

pub use amounts::{count, format_bytes, group_digits, group_text};
pub use choice::Choice;
#[cfg(feature = "serde")]
pub use exact::{Exact, exact_number, exact_option};

/// The limits at which a computation stops and returns its results so far. By default nothing is
/// limited.
///
/// A computation ignores limits that don't apply to it; its documentation lists them.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// The greatest number of nodes: states that a search generates, or positions that it visits.
    pub nodes: Option<u64>,
    /// The longest time, from the start of the computation.
    pub time: Option<Duration>,
    /// The greatest number of bytes held at any time, as the computation counts them.
    pub memory: Option<usize>,
    /// Stops the computation soon after another thread, or a signal handler, sets it to `true`.
    pub interrupt: Option<Arc<AtomicBool>>,
}

impl Limits {
    /// Return whether the caller asked to stop.
    pub fn is_interrupted(&self) -> bool {
        let flag = self.interrupt.as_ref();
        flag.is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}

/// Why a computation stopped before it was complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(schemars::JsonSchema, serde::Serialize, serde::Deserialize)
)]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum StopReason {
    /// [`Limits::nodes`] is reached.
    Nodes,
    /// [`Limits::time`] is over.
    Time,
    /// [`Limits::memory`] is used up, or the system has no more memory.
    Memory,
    /// The files of a search may take no more bytes of a disk.
    Disk,
    /// [`Limits::interrupt`] was set.
    Interrupted,
    /// The input is too large for the computation under any limits: an analysis of sequences
    /// supports fewer than about 40,000 variables, and sequences that cost less than 2^64.
    TooLarge,
    /// All remaining paths have a cost, or estimated total cost, that doesn't fit in 64 bits.
    CostOverflow,
}

impl StopReason {
    /// Return the name in reports for programs, such as `cost-overflow`.
    pub fn code(self) -> &'static str {
        match self {
            StopReason::Nodes => "nodes",
            StopReason::Time => "time",
            StopReason::Memory => "memory",
            StopReason::Disk => "disk",
            StopReason::Interrupted => "interrupted",
            StopReason::TooLarge => "too-large",
            StopReason::CostOverflow => "cost-overflow",
        }
    }

    /// Return the reason, as the end of a sentence such as "the analysis stopped, because the time
    /// was over".
    pub fn clause(self) -> &'static str {
        match self {
            StopReason::Nodes => "the limit on nodes was reached",
            StopReason::Time => "the time ran out",
            StopReason::Memory => "the memory was used up",
            StopReason::Disk => "the limit on the disk was reached",
            StopReason::Interrupted => "it was interrupted",
            StopReason::TooLarge => "the game has too many variables",
            StopReason::CostOverflow => "the costs of the remaining paths didn't fit in 64 bits",
        }
    }
}

impl std::error::Error for StopReason {}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            StopReason::Nodes => "the limit on nodes is reached",
            StopReason::Time => "the time is over",
            StopReason::Memory => "the memory is used up",
            StopReason::Disk => "the limit on the disk is reached",
            StopReason::Interrupted => "interrupted",
            StopReason::TooLarge => "the game is too large",
            StopReason::CostOverflow => "the costs of the remaining paths don't fit in 64 bits",
        })
    }
}

/// The progress of a computation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// The current step: a length of sequences, a bound of a search, a distance in a table.
    pub level: u64,
    /// The finished amount: words of this length, nodes, entries.
    pub done: u64,
    /// The total amount in the same unit, if known.
    pub total: Option<u64>,
    /// The time since the start.
    pub elapsed: Duration,
    /// The bytes held, if the computation counts them.
    pub bytes: Option<usize>,
}

/// Receives progress, from any thread of a computation.
pub type OnProgress<'a> = dyn Fn(&Progress) + Sync + 'a;

/// Limits together with the time at which the clock started.
///
/// Clones share that time, so several computations can keep one limit on time.
#[derive(Clone, Debug)]
pub struct Watch {
    limits: Limits,
    started: Instant,
}

impl Default for Watch {
    /// A watch without limits.
    fn default() -> Self {
        Self::new(Limits::default())
    }
}

impl Watch {
    /// Start to count the time now.
    pub fn new(limits: Limits) -> Self {
        Self::since(limits, Instant::now())
    }

    /// Count the time from `started` on.
    pub fn since(limits: Limits, started: Instant) -> Self {
        Self { limits, started }
    }

    /// Start now, with the time until `deadline` if that is less than [`Limits::time`].
    pub fn until(deadline: Option<Instant>, limits: Limits) -> Self {
        let started = Instant::now();
        let left = deadline.map(|it| it.saturating_duration_since(started));
        let time = least(left, limits.time);
        Self::since(Limits { time, ..limits }, started)
    }

    /// Return the limits.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The same with another limit on nodes.
    pub fn with_nodes(&self, nodes: Option<u64>) -> Self {
        let limits = Limits {
            nodes,
            ..self.limits.clone()
        };
        Self::since(limits, self.started)
    }

    /// The same with another flag that interrupts.
    pub fn with_interrupt(&self, flag: Arc<AtomicBool>) -> Self {
        let limits = Limits {
            interrupt: Some(flag),
            ..self.limits.clone()
        };
        Self::since(limits, self.started)
    }

    /// The same without a limit on time, for a command that limits the time of each of its parts.
    pub fn without_time(&self) -> Self {
        let limits = Limits {
            time: None,
            ..self.limits.clone()
        };
        Self::since(limits, self.started)
    }

    /// Return limits for a part of the work that begins now: of each kind the smaller one, the
    /// part's own limit or what is left here. Only if the part has no flag that interrupts, it
    /// takes the one here.
    pub fn part(&self, own: &Limits) -> Limits {
        Limits {
            nodes: least(own.nodes, self.limits.nodes),
            time: least(own.time, self.time_left()),
            memory: least(own.memory, self.limits.memory),
            interrupt: own
                .interrupt
                .clone()
                .or_else(|| self.limits.interrupt.clone()),
        }
    }

    /// Return whether the work should stop: it is interrupted, or its time is over.
    pub fn is_over(&self) -> bool {
        self.check_resources(0).is_err()
    }

    /// Return the time since the start.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Return the remaining time; `None` without a limit on time.
    pub fn time_left(&self) -> Option<Duration> {
        let limit = self.limits.time?;
        Some(limit.saturating_sub(self.elapsed()))
    }

    /// Compare the usage with all limits.
    ///
    /// # Errors
    /// The first limit that is exceeded, in this order: interruption, memory, time, nodes. The
    /// limits on time and on nodes are exceeded when they are reached.
    pub fn check(&self, nodes: u64, bytes: usize) -> Result<(), StopReason> {
        self.check_resources(bytes)?;
        self.nodes_left(nodes).map(drop)
    }

    /// Compare the usage with all limits except that on nodes, for preparations, which generate
    /// none.
    ///
    /// # Errors
    /// The first limit that is exceeded, in the order of [`check`](Self::check).
    pub fn check_resources(&self, bytes: usize) -> Result<(), StopReason> {
        // The clock isn't read without a limit on time.
        let elapsed = self.limits.time.map_or(Duration::ZERO, |_| self.elapsed());
        self.check_resources_at(elapsed, bytes)
    }

    /// Do as [`check_resources`](Self::check_resources), for a caller that has just read the time
    /// since the start.
    ///
    /// # Errors
    /// The first limit that is exceeded, in the order of [`check`](Self::check).
    pub fn check_resources_at(&self, elapsed: Duration, bytes: usize) -> Result<(), StopReason> {
        let limits = &self.limits;
        if limits.is_interrupted() {
            return Err(StopReason::Interrupted);
        }
        if limits.memory.is_some_and(|limit| bytes > limit) {
            return Err(StopReason::Memory);
        }
        if limits.time.is_some_and(|limit| elapsed >= limit) {
            return Err(StopReason::Time);
        }
        Ok(())
    }

    /// Return the number of nodes that may still be generated after `nodes`; `u64::MAX` without a
    /// limit.
    ///
    /// # Errors
    /// [`StopReason::Nodes`] if there are none.
    pub fn nodes_left(&self, nodes: u64) -> Result<u64, StopReason> {
        match self.limits.nodes {
            None => Ok(u64::MAX),
            Some(limit) if nodes < limit => Ok(limit - nodes),
            Some(_) => Err(StopReason::Nodes),
        }
    }
}

/// The smaller one of two limits, where `None` is none.
fn least<T: Ord>(one: Option<T>, other: Option<T>) -> Option<T> {
    one.into_iter().chain(other).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_has_no_more_than_what_is_left() {
        let flag = Arc::new(AtomicBool::new(false));
        let whole = Watch::new(Limits {
            time: Some(Duration::ZERO),
            memory: Some(100),
            interrupt: Some(Arc::clone(&flag)),
            ..Limits::default()
        });
        assert!(whole.is_over());
        let part = whole.part(&Limits {
            time: Some(Duration::from_secs(3600)),
            memory: Some(70),
            nodes: Some(5),
            interrupt: None,
        });
        assert_eq!(part.time, Some(Duration::ZERO));
        assert_eq!((part.memory, part.nodes), (Some(70), Some(5)));
        let part = Watch::new(part).without_time();
        assert!(!part.is_over());
        assert_eq!(part.part(&Limits::default()).memory, Some(70));
        flag.store(true, Ordering::Relaxed);
        assert!(part.is_over());
        assert!(!part.with_interrupt(Arc::default()).is_over());
    }

    #[test]
    fn each_limit_stops_and_the_first_one_is_named() {
        let flag = Arc::new(AtomicBool::new(false));
        let limits = Limits {
            nodes: Some(10),
            time: None,
            memory: Some(100),
            interrupt: Some(Arc::clone(&flag)),
        };
        let watch = Watch::new(limits.clone());
        assert_eq!(watch.check(9, 100), Ok(()));
        assert_eq!(watch.check(10, 100), Err(StopReason::Nodes));
        assert_eq!(watch.check(10, 101), Err(StopReason::Memory));
        assert_eq!(watch.check_resources(100), Ok(()));
        assert_eq!(watch.check_resources_at(Duration::MAX, 100), Ok(()));
        assert_eq!(watch.nodes_left(7), Ok(3));
        assert_eq!(watch.nodes_left(10), Err(StopReason::Nodes));
        assert_eq!(Watch::default().nodes_left(u64::MAX), Ok(u64::MAX));
        assert_eq!(watch.time_left(), None);
        let more = watch.with_nodes(Some(11));
        assert_eq!(more.check(10, 100), Ok(()));
        assert_eq!(more.check(11, 100), Err(StopReason::Nodes));
        assert_eq!(more.check(10, 101), Err(StopReason::Memory));
        flag.store(true, Ordering::Relaxed);
        assert_eq!(watch.check(10, 101), Err(StopReason::Interrupted));
    }

    #[test]
    fn time_counts_from_the_given_moment() {
        let limits = Limits {
            time: Some(Duration::from_secs(3600)),
            ..Limits::default()
        };
        let watch = Watch::new(limits.clone());
        assert_eq!(watch.check(u64::MAX, usize::MAX), Ok(()));
        let Some(earlier) = Instant::now().checked_sub(Duration::from_secs(3601)) else {
            return;
        };
        let watch = Watch::since(limits, earlier);
        assert_eq!(watch.check(0, 0), Err(StopReason::Time));
        assert_eq!(watch.time_left(), Some(Duration::ZERO));
    }
}
