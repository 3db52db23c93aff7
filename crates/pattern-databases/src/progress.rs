//! What building a table may use, and how far it is.

use std::error::Error;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use budget::{OnProgress, Progress, StopReason, Watch};

/// What building and reading tables may use, and who receives its progress.
#[derive(Default)]
pub struct Options<'a> {
    /// Memory: the greatest number of bytes for tables that are being built; nothing is begun that
    /// needs more. Time and interruption: the work stops with an error. Nodes are not limited.
    pub budget: Watch,
    /// Receives progress after each distance: `level` is the distance in units of the rules' costs,
    /// `done` the number of entries whose distance is known (or of ranks that were reached, where
    /// several share an entry), `total` the number of ranks.
    pub progress: Option<&'a OnProgress<'a>>,
    /// What is known of the states that will be looked up; the invariants of the goal states if
    /// `None`.
    pub invariants: Option<invariants::Invariants>,
    /// Where tables are kept that were built before, and are looked for before they are built.
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
    /// An error when more is needed than is allowed; where nothing is said, than the computer has.
    pub(crate) fn check_memory(&self, needed: u128) -> Result<(), BuildError> {
        match self.memory() {
            Some(limit) if needed > u128::from(limit) => Err(BuildError::Memory { needed, limit }),
            None if system_bytes().is_some_and(|bytes| needed > u128::from(bytes)) => {
                Err(BuildError::OutOfMemory(needed))
            }
            _ => Ok(()),
        }
    }

    /// The limit on memory in bytes.
    pub(crate) fn memory(&self) -> Option<u64> {
        self.budget.limits().memory.map(|bytes| bytes as u64)
    }

    /// Whether the time is over or the work was interrupted.
    pub fn should_stop(&self) -> bool {
        self.poll().is_err()
    }

    /// An error when the work is to stop.
    pub(crate) fn poll(&self) -> Result<(), BuildError> {
        self.budget.check(0, 0).map_err(BuildError::Stopped)
    }
}

/// The memory of this computer, where the system says it.
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

/// Keeps the files of tables from one building to the next.
///
/// A table has a name: a text of several lines that says all that decides its bytes.
pub trait TableStore: Sync {
    /// The file of a table, if it is kept.
    fn find(&self, name: &str) -> Option<PathBuf>;

    /// Whether a table is kept. Nobody is about to read it.
    fn has(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// Hears whether the file of a table could be used. One that couldn't is built anew.
    fn opened(&self, path: &Path, result: Result<(), &dyn Error>);

    /// Keep a table of `bytes` bytes if it is worth it, by how long it took to build. `write`
    /// writes its file. Nobody hears of failure: the table is built again the next time.
    fn keep(&self, name: &str, took: Duration, bytes: u64, write: &WriteTable<'_>);
}

/// Writes the file of a table.
pub type WriteTable<'w> = dyn Fn(&mut dyn Write) -> io::Result<()> + 'w;

/// Why there is no table.
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
    /// Rules run backwards are too many.
    #[error("run backwards, rule sets of the abstract game are too many: {0}")]
    Backward(#[from] psvn_ir::TooManyRules),
    /// A pattern of pieces, and no pieces in the abstract game.
    #[error("the game has no pieces whose places could be numbered")]
    NoPieces,
    /// The table would be too large.
    #[error("the table needs {needed} bytes while it is built, and {limit} are allowed")]
    Memory {
        /// The bytes needed.
        needed: u128,
        /// The limit.
        limit: u64,
    },
    /// The system gives no more memory.
    #[error("the table needs {0} bytes while it is built, and the computer doesn't have them")]
    OutOfMemory(u128),
    /// A limit on time, or an interruption.
    #[error("{0}")]
    Stopped(StopReason),
}

/// Counts what is reached, and reports it.
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

    /// An error when the work is to stop.
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
