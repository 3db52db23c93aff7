//! The redundant words of a game, for searches that leave them out.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use budget::StopReason;
use container::cache::Key;
use fsm::{Dense, minimize};
use host::Host;
use invariants::Invariants;
use move_prune::Limits;
use psvn_ir::{ContentHash, Game};
use redundancy::{SearchFor, ignored, split_game};
use rule_splits::SplitGame;

use crate::analysis::{Sharing, analyze_sharing};
use crate::assumptions::{Assumptions, AssumptionsSource};
use crate::engine::machines;
use crate::error::AnalyzeError as Error;
use crate::request::{AnalysisRequest, SplitRequest};
use crate::summary::Level;

/// The redundant words up to a length, by rule and in the order of the file.
pub struct Redundant {
    /// The length up to which they are known.
    pub max_length: usize,
    /// The limit that stopped the analysis there, if one did.
    pub stopped: Option<StopReason>,
    /// Whether an earlier analysis found them.
    pub from_cache: bool,
    /// The figures of each length, from 1.
    pub levels: Vec<Level>,
    /// The asymptotic branching factor.
    pub branching_factor: Option<f64>,
    /// The states of the machine that forbids them.
    pub n_states: usize,
    /// The game whose rules are the letters, where rules are split.
    pub split: Option<Arc<SplitGame>>,
    n_letters: u32,
    words: Vec<Box<[u32]>>,
    /// The steps that the choice of splits took.
    pub split_steps: u64,
    /// The steps with which, or with more, a choice finds no splits, where that is known.
    pub unsplit_from: Option<u64>,
    /// The time that it took to find splits.
    split_time: Duration,
    /// Forbids all of the words.
    machine: Dense,
}

/// Under which keys redundant words are kept in the cache.
pub struct RedundantKeys {
    request: AnalysisRequest,
    hash: ContentHash,
}

impl RedundantKeys {
    /// The key of those up to a length.
    pub fn of(&self, max_length: usize, split: &SplitRequest, game: &Game, host: &dyn Host) -> Key {
        let of = (max_length, split);
        self.request.key_of(self.hash, of, game, host)
    }
}

impl fmt::Debug for RedundantKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RedundantKeys")
            .field("hash", &self.hash)
            .finish_non_exhaustive()
    }
}

impl Redundant {
    /// Find the words, or take them from the cache. They are redundant in states that have the
    /// invariants, for searches for states or goals. Where rules are split, letters are parts.
    ///
    /// If the machine that forbids them doesn't fit the limits, only shorter words are taken.
    ///
    /// # Errors
    /// When no machine fits in memory.
    ///
    /// # Panics
    /// Never: parts have numbers of 32 bits.
    pub fn find(
        game: &Game,
        max_length: usize,
        known: Invariants,
        search_for: SearchFor,
        split: &SplitRequest,
        limits: Limits,
        host: &dyn Host,
    ) -> Result<Self, Error> {
        let within = (known, search_for);
        Self::find_sharing(None, game, within, (max_length, split), limits, host)
    }

    /// The same, where several calls for the same invariants may share the comparison of whole
    /// rules.
    ///
    /// # Errors
    /// As [`find`](Self::find).
    pub fn find_sharing(
        sharing: Option<Sharing<'_>>,
        game: &Game,
        (known, search_for): (Invariants, SearchFor),
        (max_length, split): (usize, &SplitRequest),
        limits: Limits,
        host: &dyn Host,
    ) -> Result<Self, Error> {
        let memory = limits.memory;
        let request = Self::request(game, max_length, known.clone(), search_for, split, memory);
        let analysis = analyze_sharing(game, &request, limits.clone(), sharing, host)?;
        let analysis = Arc::unwrap_or_clone(analysis);
        let summary = analysis.summary;
        let Some(file) = analysis.machine else {
            let longest = summary.max_length.min(summary.levels.len());
            let shorter = longest
                .checked_sub(1)
                .ok_or(Error::NoMachine(game.rules().len()))?;
            let within = (known, search_for);
            let redundant =
                Self::find_sharing(sharing, game, within, (shorter, split), limits, host)?;
            return Ok(Self {
                stopped: redundant.stopped.or(Some(StopReason::Memory)),
                ..redundant
            });
        };
        let n_states = file.machine.n_states();
        let machine = file.machine.to_dense();
        let split = split_game(game, &file.parts)?.map(Arc::new);
        let splits = summary.splits.as_ref();
        let split_seconds = splits.map_or(0.0, |splits| splits.seconds.max(0.0));
        let split_steps = splits.map_or(0, |splits| splits.steps);
        let unsplit_from = splits.and_then(|splits| splits.settled_in);
        let words = file.words.into_iter().map(|word| word.word).collect();
        Ok(Self {
            max_length: summary.max_length,
            stopped: summary.stopped,
            from_cache: analysis.from_cache,
            levels: summary.levels,
            branching_factor: summary.branching_factor,
            n_states,
            n_letters: file.machine.n_letters(),
            split,
            split_steps,
            unsplit_from,
            split_time: Duration::from_secs_f64(split_seconds),
            words,
            machine: machine.map(Cow::into_owned).map_err(Error::Unreadable)?,
        })
    }

    /// The same as `psvn analyze --start`, so that they share their results.
    fn request(
        game: &Game,
        max_length: usize,
        known: Invariants,
        search_for: SearchFor,
        split: &SplitRequest,
        memory: Option<usize>,
    ) -> AnalysisRequest {
        AnalysisRequest {
            assumptions: Assumptions::of(AssumptionsSource::Start, known, game),
            ignored: ignored::variables(search_for, game),
            split: split.clone(),
            budget: machines::budget(memory),
            ..AnalysisRequest::up_to(max_length)
        }
    }

    /// Return the keys in the cache of the results of [`find`](Self::find).
    pub fn keys(game: &Game, known: Invariants, search_for: SearchFor) -> RedundantKeys {
        let split = SplitRequest::none();
        RedundantKeys {
            request: Self::request(game, 0, known, search_for, &split, None),
            hash: game.content_hash(),
        }
    }

    /// Return the same as [`machine_up_to`](Self::machine_up_to), but without building a second
    /// machine if all words are used.
    ///
    /// # Errors
    /// When the machine is too large.
    pub fn into_machine(self, length: usize) -> Result<Dense, Error> {
        if self.words.iter().all(|word| word.len() <= length) {
            return Ok(self.machine);
        }
        self.machine_up_to(length)
    }

    /// Return the minimal machine that forbids the words up to a length.
    ///
    /// # Errors
    /// When the machine is too large.
    pub fn machine_up_to(&self, length: usize) -> Result<Dense, Error> {
        if self.words.iter().all(|word| word.len() <= length) {
            return Ok(self.machine.clone());
        }
        let words = self.words.iter().filter(|word| word.len() <= length);
        minimize(&machines::forbidding(self.n_letters, words)?).map_err(Error::Machine)
    }

    /// Return the time that the words up to a length took.
    pub fn time_up_to(&self, length: usize) -> Duration {
        let of_splits = match length {
            0 => Duration::ZERO,
            _ => self.split_time,
        };
        let seconds = self.levels.iter().take(length).map(|level| level.seconds);
        Duration::from_secs_f64(seconds.map(|seconds| seconds.max(0.0)).sum()) + of_splits
    }
}
