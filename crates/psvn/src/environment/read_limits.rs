//! Limits for reading a game.

use std::cell::Cell;
use std::time::{Duration, Instant};

use formats::{Format, Imported, Rejected};
use psvn_ir::{LoadLimits, LoadStop, Loaded};
use psvn_syntax::Diagnostic;

use crate::error::Error;
use crate::text::{Parameter, Terms, message};

/// A game of up to this size is read under any limit on memory: it is small beside the program.
const SMALL: usize = 16 << 20;

/// Without a limit on memory, reading a game may take one part in this number of the free memory.
const PART_OF_FREE: u64 = 2;

/// The free memory that is assumed where the system doesn't report it.
const ASSUMED_FREE: u64 = 4 << 30;

/// The clock is read once for this number of checks whether to stop.
const QUESTIONS_BETWEEN_CLOCKS: u32 = 4;

/// Limits for reading a game: time and memory. A text is checked against them while it is read, so
/// one that is too large is refused before it takes the memory.
///
/// The default has no limit on time, and a limit of half of the free memory.
#[derive(Clone, Debug)]
pub struct ReadLimits {
    started: Instant,
    time: Option<Duration>,
    /// The bytes, if they are limited.
    memory: Option<usize>,
    /// Whether messages say that the user can allow more memory.
    may_allow_more: bool,
}

impl Default for ReadLimits {
    fn default() -> Self {
        Self {
            started: Instant::now(),
            time: None,
            memory: None,
            may_allow_more: false,
        }
    }
}

impl ReadLimits {
    /// Limit the time, counted from when these limits were made.
    #[must_use]
    pub fn with_time(self, time: Option<Duration>) -> Self {
        Self { time, ..self }
    }

    /// Limit the memory to this number of bytes, at least 16 MiB; with `None`, to half of the
    /// free memory. Messages then suggest a higher limit.
    #[must_use]
    pub fn with_memory(self, memory: Option<usize>) -> Self {
        Self {
            memory: memory.map(|memory| memory.max(SMALL)),
            may_allow_more: true,
            ..self
        }
    }

    /// The most bytes of a text that may be read, if the memory is limited.
    pub(crate) fn most_bytes(&self) -> Option<u64> {
        self.memory.map(|memory| memory as u64)
    }

    /// Return whether the time has run out.
    pub fn is_over(&self) -> bool {
        self.time.is_some_and(|time| self.elapsed() >= time)
    }

    /// Return the time since the limits were made.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Read a game within these limits, with warnings about it.
    ///
    /// # Errors
    /// When the time runs out. A game that is too large is reported in its diagnostics.
    pub(crate) fn load(&self, text: &str, terms: &dyn Terms) -> Result<Loaded, Error> {
        self.read_by(terms, |limits| psvn_ir::load_within(text, limits))
    }

    /// The same without warnings, which take longer than reading the game.
    pub(crate) fn read(&self, text: &str, terms: &dyn Terms) -> Result<Loaded, Error> {
        self.read_by(terms, |limits| psvn_ir::read_within(text, limits))
    }

    /// Translate a text of another format within these limits.
    ///
    /// # Errors
    /// What is wrong with the text, or the limit that is reached and what took it.
    pub(crate) fn import(
        &self,
        format: Format,
        text: &str,
        terms: &dyn Terms,
    ) -> Result<Imported, Rejected> {
        self.within(|limits| formats::import_within(format, text, limits))
            .map_err(|mut rejected| {
                self.suggest(rejected.stopped, &mut rejected.diagnostics, terms);
                rejected
            })
    }

    fn read_by(
        &self,
        terms: &dyn Terms,
        read: impl FnOnce(&LoadLimits<'_>) -> Loaded,
    ) -> Result<Loaded, Error> {
        let mut loaded = self.within(read);
        if loaded.stopped == Some(LoadStop::Requested) {
            return Err(Error::limit("the time ran out before the game was read"));
        }
        self.suggest(loaded.stopped, &mut loaded.diagnostics, terms);
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
            memory: self.memory.unwrap_or_else(default_memory),
            stop: &stop,
            ..LoadLimits::default()
        })
    }

    /// Where the memory is too little, suggest to allow more.
    fn suggest(
        &self,
        stopped: Option<LoadStop>,
        diagnostics: &mut [Diagnostic],
        terms: &dyn Terms,
    ) {
        if stopped != Some(LoadStop::Size) || !self.may_allow_more {
            return;
        }
        let more = message!["`", Parameter::Memory, "` may allow more"].in_terms_of(terms);
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
