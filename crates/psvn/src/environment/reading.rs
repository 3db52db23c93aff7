//! Reading games within the budget of an environment.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

#[cfg(feature = "formats")]
use formats::{Imported, Rejected};
use psvn_ir::{LoadLimits, LoadStop, Loaded};
use psvn_syntax::Diagnostic;
#[cfg(feature = "formats")]
use psvn_syntax::foreign::Format;

use super::Environment;
use crate::error::Error;
use crate::text::{Parameter, message};

/// A game of up to this size is read under any limit on memory: it is small beside the program.
const SMALL: usize = 16 << 20;

/// Without a limit on memory, reading a game may take one part in this number of the free memory.
const PART_OF_FREE: u64 = 2;

/// The free memory that is assumed where the system doesn't report it.
const ASSUMED_FREE: u64 = 4 << 30;

/// The clock is read once for this number of checks whether to stop.
const QUESTIONS_BETWEEN_CLOCKS: u32 = 4;

/// Memory that a game holds.
#[derive(Debug)]
pub(crate) struct Held {
    bytes: usize,
    /// What all games of the environment hold.
    all: Arc<AtomicUsize>,
}

impl Drop for Held {
    fn drop(&mut self) {
        self.all.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

impl Environment {
    /// Return the most bytes that reading a game may take, at least 16 MiB, if the memory is
    /// limited. A larger file isn't read.
    pub(crate) fn bytes_for_reading(&self) -> Option<usize> {
        self.budget().limits().memory.map(|bytes| bytes.max(SMALL))
    }

    /// Count a game of this size toward the budget, as far as it isn't small, until what is
    /// returned is dropped.
    pub(crate) fn hold(&self, bytes: usize) -> Held {
        let bytes = bytes.saturating_sub(SMALL);
        self.held.fetch_add(bytes, Ordering::Relaxed);
        Held {
            bytes,
            all: Arc::clone(&self.held),
        }
    }

    /// Read a game within the budget, with warnings about it.
    ///
    /// # Errors
    /// When the time runs out. A game that is too large is reported in its diagnostics.
    pub(crate) fn load(&self, text: &str) -> Result<Loaded, Error> {
        self.read_by(|limits| psvn_ir::load_within(text, limits))
    }

    /// The same without warnings, which take longer than reading the game.
    pub(crate) fn read(&self, text: &str) -> Result<Loaded, Error> {
        self.read_by(|limits| psvn_ir::read_within(text, limits))
    }

    /// Translate a text of another format within the budget.
    ///
    /// # Errors
    /// Inside, what is wrong with the text, or the limit that is reached and what took it. Outside,
    /// when the work is cancelled.
    #[cfg(feature = "formats")]
    pub(crate) fn import(
        &self,
        format: Format,
        text: &str,
    ) -> Result<Result<Imported, Rejected>, Error> {
        let mut imported = self.within(|limits| formats::import_within(format, text, limits));
        if let Err(rejected) = &mut imported {
            if rejected.stopped == Some(LoadStop::Requested) && self.is_cancelled() {
                return Err(self.over("the game was read"));
            }
            self.advise(rejected.stopped, &mut rejected.diagnostics);
        }
        Ok(imported)
    }

    fn read_by(&self, read: impl FnOnce(&LoadLimits<'_>) -> Loaded) -> Result<Loaded, Error> {
        let mut loaded = self.within(read);
        if loaded.stopped == Some(LoadStop::Requested) {
            return Err(self.over("the game was read"));
        }
        self.advise(loaded.stopped, &mut loaded.diagnostics);
        Ok(loaded)
    }

    /// Do work that heeds limits for reading a game.
    fn within<R>(&self, work: impl FnOnce(&LoadLimits<'_>) -> R) -> R {
        let questions = Cell::new(0_u32);
        let stop = || {
            questions.set(questions.get().wrapping_add(1));
            questions.get().is_multiple_of(QUESTIONS_BETWEEN_CLOCKS) && self.is_over()
        };
        work(&LoadLimits {
            memory: self.bytes_for_reading().unwrap_or_else(default_memory),
            stop: &stop,
            ..LoadLimits::default()
        })
    }

    /// Where memory is lacking, suggest to allow more.
    fn advise(&self, stopped: Option<LoadStop>, diagnostics: &mut [Diagnostic]) {
        if stopped != Some(LoadStop::Size) || !self.may_allow_more_memory {
            return;
        }
        let more = message!["`", Parameter::Memory, "` may allow more"];
        let more = more.in_terms_of(self.terms());
        for diagnostic in diagnostics.iter_mut().filter(|it| it.is_error()) {
            let hint = match diagnostic.hint.take() {
                Some(hint) => format!("{hint}; {more}"),
                None => more.clone(),
            };
            diagnostic.hint = Some(hint);
        }
    }
}

/// The memory for reading a game without a limit: little enough that the system needn't kill the
/// program.
fn default_memory() -> usize {
    let free = free_memory().unwrap_or(ASSUMED_FREE) / PART_OF_FREE;
    usize::try_from(free).unwrap_or(usize::MAX)
}

/// The bytes that are free, where the system reports them: on Linux.
pub(crate) fn free_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    available(&text)
}

/// The bytes that are available according to the text of `/proc/meminfo`.
fn available(text: &str) -> Option<u64> {
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_memory_is_read_as_linux_writes_it() {
        let text = "MemTotal:       24000000 kB\nMemAvailable:   20000000 kB\nBuffers: 1 kB\n";
        assert_eq!(available(text), Some(20_000_000 * 1024));
        assert_eq!(available("MemTotal: 1 kB\n"), None);
    }
}
