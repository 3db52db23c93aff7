//! The redundant words of a game, for searches that leave them out.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use fsm::{Dense, FileError, OpenFile, minimize};
use invariants::Invariants;
use move_prune::{Limits, Order};

use crate::assumptions::{Assumptions, Source};
use crate::choices::{Letters, MachineKind, MaxLength, Method, RuleOrderChoice};
use crate::context::Context;
use crate::failure::Failure;
use crate::finding::{self, FoundMachine, Setting, Stopped};
use crate::input::NamedGame;
use crate::machines::{self, too_large};

/// The redundant words up to a length, by rule and in the order of the file.
pub(crate) struct Redundant {
    /// The length up to which they are known.
    pub(crate) max_length: usize,
    /// Why not further.
    pub(crate) stopped: Option<Stopped>,
    /// Whether an earlier analysis found them.
    pub(crate) from_cache: bool,
    /// The times that the lengths took, from 1.
    times: Vec<Duration>,
    n_letters: u32,
    words: Vec<Box<[u32]>>,
    /// Forbids all of the words.
    machine: Dense,
}

impl Redundant {
    /// Finds the words, or takes them from the cache. They are redundant in states that have the
    /// invariants.
    ///
    /// Where the machine that forbids them has no room within the limits, only shorter words are taken.
    pub(crate) fn find(
        game: &NamedGame,
        max_length: usize,
        known: Invariants,
        limits: Limits,
        interrupt: &Arc<AtomicBool>,
        cx: &Context,
    ) -> Result<Self, Failure> {
        // The same as `psvn analyze --start`, so that they share their results.
        let setting = Setting {
            max_length: MaxLength::Length(max_length),
            order: Order::LengthLexicographic,
            rule_order: RuleOrderChoice::File,
            assumptions: Assumptions::of(Source::Start, known.clone(), &game.game),
            letters: Letters::Rules,
            method: Method::Exact,
            generic_start: None,
            operator_order: None,
            machine: MachineKind::Minimized,
            sleep_sets: false,
            dont_cares: false,
            budget: machines::budget(limits.memory),
        };
        let finding = finding::find(game, &setting, limits.clone(), interrupt, cx)?;
        let summary = finding.summary;
        let Some(found) = finding.machine else {
            let longest = summary.max_length.min(summary.levels.len());
            let shorter = longest.checked_sub(1).ok_or_else(|| {
                Failure::limit(format!(
                    "a machine for {} rules is too large",
                    game.game.rules().len()
                ))
                .hint("search with `--prune none`, or allow more with `--memory`")
            })?;
            let redundant = Self::find(game, shorter, known, limits, interrupt, cx)?;
            return Ok(Self {
                stopped: redundant.stopped.or(Some(Stopped::Memory)),
                ..redundant
            });
        };
        let (machine, words) = match found {
            FoundMachine::Built(file) => {
                let machine = file.machine.to_dense().map(Cow::into_owned);
                let words = file.words.into_iter().map(|word| word.word).collect();
                (machine.map_err(FileError::from), words)
            }
            FoundMachine::Stored(bytes) => {
                let file = OpenFile::from_bytes(bytes).map_err(|error| damaged(&error))?;
                let words: Result<Vec<Box<[u32]>>, FileError> =
                    file.words().map(|word| Ok(word?.word)).collect();
                let machine = file.machine().to_dense().map(Cow::into_owned);
                (
                    machine.map_err(FileError::from),
                    words.map_err(|error| damaged(&error))?,
                )
            }
        };
        Ok(Self {
            max_length: summary.max_length,
            stopped: summary.stopped,
            from_cache: finding.from_cache,
            times: summary
                .levels
                .iter()
                .map(|level| Duration::from_secs_f64(level.seconds.max(0.0)))
                .collect(),
            n_letters: u32::try_from(game.game.rules().len()).expect("rules have ids of 32 bits"),
            words,
            machine: machine.map_err(|error| damaged(&error))?,
        })
    }

    /// The same as [`machine_up_to`](Self::machine_up_to), without a second machine where all words
    /// are taken.
    pub(crate) fn into_machine(self, length: usize) -> Result<Dense, Failure> {
        if self.words.iter().all(|word| word.len() <= length) {
            return Ok(self.machine);
        }
        self.machine_up_to(length)
    }

    /// The minimal machine that forbids the words up to a length.
    pub(crate) fn machine_up_to(&self, length: usize) -> Result<Dense, Failure> {
        if self.words.iter().all(|word| word.len() <= length) {
            return Ok(self.machine.clone());
        }
        let words = self.words.iter().filter(|word| word.len() <= length);
        minimize(&machines::forbidding(self.n_letters, words)?).map_err(too_large)
    }

    /// The time that it took to find those up to a length.
    pub(crate) fn time_up_to(&self, length: usize) -> Duration {
        self.times.iter().take(length).sum()
    }
}

/// A result that can't be read, though its checksum is right.
fn damaged(error: &FileError) -> Failure {
    Failure::wrong(format!("the result of the analysis can't be read: {error}"))
}
