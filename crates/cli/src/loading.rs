//! What reading a game may use: the limits of the command hold from the first byte on.

use std::cell::Cell;
use std::time::{Duration, Instant};

use psvn_ir::{LoadLimits, LoadStop, Loaded};

use crate::args::Command;
use crate::exit::Exit;
use crate::failure::Failure;

/// However little memory is allowed, a game that takes no more than this is read: it is small beside the
/// program.
const SMALL: usize = 16 << 20;

/// Without `--memory`, reading a game may take this part of the memory that is free.
const PART_OF_FREE: u64 = 2;

/// What is taken for free memory where the system doesn't say.
const ASSUMED_FREE: u64 = 4 << 30;

/// How many questions whether to stop are answered without a look at the clock.
const QUESTIONS_BETWEEN_CLOCKS: u32 = 4;

/// What reading a game may use.
#[derive(Clone, Debug)]
pub(crate) struct Loading {
    started: Instant,
    time: Option<Duration>,
    /// The bytes, if the user says so.
    memory: Option<usize>,
    /// Whether the command has `--memory`.
    has_memory_option: bool,
}

impl Loading {
    /// The limits of a command, whose time begins now.
    pub(crate) fn of(command: &Command) -> Self {
        let (time, memory) = match command {
            Command::Analyze(args) => (args.limits.time, Some(args.limits.memory)),
            Command::Explain(args) => (args.limits.time, Some(args.limits.memory)),
            Command::Solve(args) => (args.limits.time, Some(args.memory)),
            Command::Tree(args) => (args.limits.time, None),
            Command::Play(args) => (args.limits.time, Some(args.memory)),
            Command::Pdb(args) => (args.time, Some(args.memory)),
            _ => (None, None),
        };
        Self {
            started: Instant::now(),
            time,
            memory: memory.flatten().map(|memory| memory.max(SMALL)),
            has_memory_option: memory.is_some(),
        }
    }

    /// No limits.
    #[cfg(test)]
    pub(crate) fn unlimited() -> Self {
        Self {
            started: Instant::now(),
            time: None,
            memory: None,
            has_memory_option: false,
        }
    }

    /// The most bytes of a text that may be read, if the user limits the memory.
    pub(crate) fn most_bytes(&self) -> Option<u64> {
        self.memory.map(|memory| memory as u64)
    }

    /// Whether the time of the command is over.
    pub(crate) fn is_over(&self) -> bool {
        self.time.is_some_and(|time| self.elapsed() >= time)
    }

    /// The time since the command began.
    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Reads a game within these limits, with warnings about it.
    ///
    /// # Errors
    /// When the time is over. That the game is too large is said in its diagnostics.
    pub(crate) fn load(&self, text: &str) -> Result<Loaded, Failure> {
        self.within(|limits| psvn_ir::load_within(text, limits))
    }

    /// The same without warnings, which take longer to find than the game to read.
    pub(crate) fn read(&self, text: &str) -> Result<Loaded, Failure> {
        self.within(|limits| psvn_ir::read_within(text, limits))
    }

    fn within(&self, load: impl FnOnce(&LoadLimits<'_>) -> Loaded) -> Result<Loaded, Failure> {
        let memory = self.memory.unwrap_or_else(default_memory);
        let questions = Cell::new(0_u32);
        let stop = || {
            questions.set(questions.get().wrapping_add(1));
            questions.get().is_multiple_of(QUESTIONS_BETWEEN_CLOCKS) && self.is_over()
        };
        let limits = LoadLimits {
            memory,
            stop: &stop,
            ..LoadLimits::default()
        };
        let mut loaded = load(&limits);
        match loaded.stopped {
            Some(LoadStop::Asked) => {
                return Err(Failure::limit("the time was over before the game was read"));
            }
            Some(LoadStop::Size) if self.has_memory_option => {
                for diagnostic in loaded.diagnostics.iter_mut().filter(|it| it.is_error()) {
                    let hint = match diagnostic.hint.take() {
                        Some(hint) => format!("{hint}; `--memory` may allow more"),
                        None => "`--memory` may allow more".to_owned(),
                    };
                    diagnostic.hint = Some(hint);
                }
            }
            _ => {}
        }
        Ok(loaded)
    }
}

/// How a command ends whose game has errors.
pub(crate) fn exit_of(loaded: &Loaded) -> Exit {
    match loaded.stopped {
        Some(_) => Exit::Limit,
        None => Exit::Input,
    }
}

/// What reading a game may take where the user doesn't say: so much that the system need not kill the
/// program.
fn default_memory() -> usize {
    let free = free_memory().unwrap_or(ASSUMED_FREE) / PART_OF_FREE;
    usize::try_from(free).unwrap_or(usize::MAX)
}

/// The bytes that are free, if the system tells: on Linux.
fn free_memory() -> Option<u64> {
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
