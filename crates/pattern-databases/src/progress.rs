//! Limits and progress of building a table.

use std::error::Error;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use budget::{OnProgress, Progress, StopReason, Watch};

/// Options for building and reading tables: limits, progress, invariants, a store.
#[derive(Default)]
pub struct Options<'a> {
    /// Memory: the maximum number of bytes for tables during the build; no work begins that needs
    /// more. Time and interruption: the work stops with an error. Nodes are not limited.
    pub budget: Watch,
    /// Receives progress after each distance: `level` is the distance in units of the rules' costs,
    /// `done` the number of entries whose distance is known (or of ranks that were reached, if
    /// several share an entry), `total` the number of ranks.
    pub progress: Option<&'a OnProgress<'a>>,
    /// Invariants of the states that will be looked up; those of the goal states if `None`.
    pub invariants: Option<invariants::Invariants>,
    /// A store of tables that were built earlier, which is searched before a table is built.
    pub store: Option<&'a dyn TableStore>,
}

impl std::fmt::Debug for Options<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Options")
            .field("budget", &self.budget)
            .finish_non_exhaustive()
    }
}

impl Options<'_> {
    /// Fail if more is needed than the limit or, without a limit, than the computer's memory.
    pub(crate) fn check_memory(&self, needed: u128) -> Result<(), BuildError> {
        match self.memory() {
            Some(limit) if needed > u128::from(limit) => Err(BuildError::Memory { needed, limit }),
            None if system_bytes().is_some_and(|bytes| needed > u128::from(bytes)) => {
                Err(BuildError::OutOfMemory(needed))
            }
            _ => Ok(()),
        }
    }

    /// Return the limit on memory in bytes.
    pub(crate) fn memory(&self) -> Option<u64> {
        self.budget.limits().memory.map(|bytes| bytes as u64)
    }

    /// Return whether the time is up or the work was interrupted.
    pub fn should_stop(&self) -> bool {
        self.poll().is_err()
    }

    /// Fail if the work must stop.
    pub(crate) fn poll(&self) -> Result<(), BuildError> {
        self.budget.check(0, 0).map_err(BuildError::Stopped)
    }
}

/// Return the memory of this computer, if the system reports it.
fn system_bytes() -> Option<u64> {
    if !cfg!(target_os = "linux") {
        return None;
    }
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

/// Keeps the files of tables between builds.
///
/// A table has a name: a text of several lines with all data that determine its bytes.
pub trait TableStore: Sync {
    /// Return the file of a table, if it is kept.
    fn find(&self, name: &str) -> Option<PathBuf>;

    /// Return whether a table is kept. The caller doesn't read it now.
    fn has(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// Receive whether the file of a table could be used. If not, the table is built again.
    fn opened(&self, path: &Path, result: Result<(), &dyn Error>);

    /// Keep a table of `bytes` bytes if it is worth it, given how long it took to build. `write`
    /// writes its file. Failures are not reported: the table is built again the next time.
    fn keep(&self, name: &str, took: Duration, bytes: u64, write: &WriteTable<'_>);
}

/// Writes the file of a table.
pub type WriteTable<'w> = dyn Fn(&mut dyn Write) -> io::Result<()> + 'w;

/// The reasons why there is no table.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The abstract game can't be made.
    #[error(transparent)]
    Abstraction(#[from] abstraction::AbstractionError),
    /// The sum isn't admissible.
    #[error(transparent)]
    NotAdditive(#[from] abstraction::NotAdditive),
    /// A table belongs to another game.
    #[error("a table was built for another game")]
    OtherGame,
    /// A table with all costs is in a sum.
    #[error("table {} holds full costs, so it can't be added to others: build it together with them as an additive set", .0 + 1)]
    FullCosts(usize),
    /// The game has no goal.
    #[error("the game has no goal, so there are no distances to it")]
    NoGoal,
    /// Too many backward rules.
    #[error("the abstract game has too many backward rules: {0}")]
    Backward(#[from] psvn_ir::TooManyRules),
    /// A pattern of pieces, and no pieces in the abstract game.
    #[error("the game has no pieces whose places could be numbered")]
    NoPieces,
    /// A table of coordinates, and no coordinates.
    #[error("the game has no table of coordinates for this pattern: {0}")]
    NoCoordinates(&'static str),
    /// The table would be too large.
    #[error("the table needs {needed} bytes while it is built, and {limit} are allowed")]
    Memory {
        /// The bytes needed.
        needed: u128,
        /// The limit.
        limit: u64,
    },
    /// The system provides no more memory.
    #[error("building the table needs {0} bytes, more than the computer has")]
    OutOfMemory(u128),
    /// A limit on time was reached, or the work was interrupted.
    #[error("{0}")]
    Stopped(StopReason),
}

/// Counts reached ranks, and reports progress.
pub(crate) struct Reporter<'o> {
    options: &'o Options<'o>,
    unit: u64,
    total: u64,
    pub(crate) reached: AtomicU64,
}

impl<'o> Reporter<'o> {
    pub(crate) fn new(options: &'o Options<'o>, unit: u64, total: u64) -> Self {
        Self {
            options,
            unit,
            total,
            reached: AtomicU64::new(0),
        }
    }

    /// Fail if the work must stop.
    pub(crate) fn poll(&self) -> Result<(), BuildError> {
        self.options.poll()
    }

    pub(crate) fn report(&self, level: u64) {
        if let Some(progress) = self.options.progress {
            progress(&Progress {
                level: level.saturating_mul(self.unit),
                done: self.reached.load(Ordering::Relaxed),
                total: Some(self.total),
                elapsed: self.options.budget.elapsed(),
                bytes: None,
            });
        }
    }
}
