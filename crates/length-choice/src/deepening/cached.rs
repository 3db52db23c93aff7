//! The analyses of longer sequences by earlier runs, which `--prune auto` finds in the cache.
//!
//! Auto records in the cache the analysis that it used last, since the work that it allowed for the
//! choice of splits can't be guessed. Analyses that `psvn analyze --start` or `--prune L` stored
//! serve as well.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use advisor::Steps;
use advisor::lengths::{AnalyzedLengths, EarlierSearches, FIRST_LENGTH};
use analyses::{Redundant, RedundantKeys, SplitChoice, SplitRequest};
use container::cache::{Key, Lookup};
use host::Host;
use invariants::Invariants;
use move_prune::Limits;
use psvn_ir::Game;
use redundancy::SearchFor;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::figures::STEPS_FOR_SPLITS;

/// The greatest length for which kept analyses of other commands are looked up.
const MOST_LENGTH: usize = 16;

/// The steps to read one byte of a result: its checksum, its words, its machine.
const STEPS_OF_BYTE: Steps = 10.0;

/// The maximum steps to read a result before a search begins: some milliseconds.
const STEPS_AT_ONCE: Steps = 2e7;

/// An analysis that is in the cache.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CachedAnalysis {
    pub(crate) length: usize,
    pub(crate) split: SplitRequest,
    /// The steps that it takes to read it.
    pub(crate) steps: Steps,
}

impl CachedAnalysis {
    /// Return the steps that the choice of splits might take, if there was one.
    pub(crate) fn steps_for_splits(&self) -> Option<u64> {
        match self.split.choice {
            SplitChoice::None => None,
            SplitChoice::Auto | SplitChoice::All => Some(self.split.most_steps.unwrap_or(u64::MAX)),
        }
    }
}

/// What the cache held about searches in a game when the searches were prepared.
#[derive(Debug)]
pub(crate) struct CachedAnalyses {
    /// `None` without a cache.
    entries: Option<GameEntries>,
    /// The analyses, those of the longest sequences first.
    all: Vec<CachedAnalysis>,
    /// The searches since the last analysis.
    earlier: EarlierSearches,
    /// The length from which on they can't be used, since machines are too large or damaged.
    unusable_from: AtomicUsize,
}

impl CachedAnalyses {
    /// Find analyses for searches from states with some invariants.
    pub(crate) fn find(
        game: &Game,
        (assumed, search_for): (&Invariants, SearchFor),
        split: &SplitRequest,
        host: &dyn Host,
    ) -> Self {
        let entries = host.cache().folder().map(|_| GameEntries {
            keys: Redundant::keys(game, assumed.clone(), search_for),
            split: split.clone(),
        });
        let all = entries.as_ref().map(|entries| entries.all(game, host));
        let earlier = entries
            .as_ref()
            .and_then(|entries| entries.read(SEARCHES, game, host));
        Self {
            all: all.unwrap_or_default(),
            earlier: earlier.unwrap_or_default(),
            unusable_from: AtomicUsize::new(usize::MAX),
            entries,
        }
    }

    /// Return the one that is read before a search begins.
    pub(crate) fn at_once(&self) -> Option<&CachedAnalysis> {
        self.all.iter().find(|it| it.steps <= STEPS_AT_ONCE)
    }

    /// Return an analysis of longer sequences than those compared so far, if it can be read within
    /// the steps that its length may take.
    pub(crate) fn longer(
        &self,
        known: &AnalyzedLengths,
        most_steps: impl Fn(usize) -> Steps,
    ) -> Option<&CachedAnalysis> {
        let unusable_from = self.unusable_from.load(Ordering::Relaxed);
        let longer = |it: &&CachedAnalysis| {
            (known.length + 1..unusable_from).contains(&it.length)
                && known.may_use(it.steps_for_splits().is_some())
        };
        let mut longer = self.all.iter().filter(longer);
        longer.find(|it| it.steps <= most_steps(it.length))
    }

    /// Return the steps that it takes to read an analysis that is in the cache now.
    pub(crate) fn steps_of_reading(
        &self,
        length: usize,
        split: &SplitRequest,
        game: &Game,
        host: &dyn Host,
    ) -> Steps {
        let entries = self.entries.as_ref();
        let cached = entries.and_then(|it| it.with(length, split.clone(), game, host));
        cached.map_or(0.0, |it| it.steps)
    }

    /// Return the searches of earlier runs since the last analysis.
    pub(crate) fn earlier_searches(&self) -> EarlierSearches {
        self.earlier
    }

    /// Record the searches since the last analysis for later runs.
    pub(crate) fn record(&self, searches: &EarlierSearches, game: &Game, host: &dyn Host) {
        if let Some(entries) = &self.entries {
            entries.write(SEARCHES, searches, game, host);
        }
    }

    /// Use no analysis of this length or a greater one any more.
    pub(crate) fn forget_from(&self, length: usize) {
        self.unusable_from.fetch_min(length, Ordering::Relaxed);
    }

    /// Record the analysis that a search used, if it is stored.
    pub(crate) fn note(&self, used: UsedAnalysis, game: &Game, host: &dyn Host) {
        if let Some(entries) = &self.entries {
            entries.note(&used, game, host);
        }
    }
}

/// The analysis that auto used last, as stored in the cache.
#[derive(Serialize, Deserialize)]
pub(crate) struct UsedAnalysis {
    pub(crate) length: usize,
    /// Whether rules were split.
    pub(crate) is_split: bool,
    /// The steps that the choice of splits might take, if there was one.
    pub(crate) steps_for_splits: Option<u64>,
}

/// The words in the keys of the two notes.
const USED: &str = "auto";
const SEARCHES: &str = "auto's searches";

/// The place in the cache of analyses for searches in a game.
#[derive(Debug)]
struct GameEntries {
    keys: RedundantKeys,
    /// The choice of rules to split.
    split: SplitRequest,
}

impl GameEntries {
    /// Return the key of a note.
    fn key(&self, of: &str, game: &Game, host: &dyn Host) -> Key {
        let mut key = self.keys.of(FIRST_LENGTH, &self.split, game, host);
        key.push("for", of);
        key
    }

    /// Return a note, if it is there and can be read.
    fn read<T: DeserializeOwned>(&self, of: &str, game: &Game, host: &dyn Host) -> Option<T> {
        match host.cache().get(&self.key(of, game, host)) {
            Lookup::Found(entry) => serde_json::from_str(&entry.summary).ok(),
            Lookup::Missing | Lookup::Unusable { .. } => None,
        }
    }

    /// Write a note. A failure to do so isn't an error.
    fn write(&self, of: &str, note: &impl Serialize, game: &Game, host: &dyn Host) {
        if let Ok(text) = serde_json::to_string(note) {
            let key = self.key(of, game, host);
            let _ = host.cache().put(&key, text, Vec::new());
        }
    }

    /// Record the analysis that a search used, if it is stored.
    fn note(&self, used: &UsedAnalysis, game: &Game, host: &dyn Host) {
        if self.cached(used, game, host).is_some() {
            self.write(USED, used, game, host);
        }
    }

    /// Return the request for the recorded analysis.
    fn request(&self, steps_for_splits: Option<u64>) -> SplitRequest {
        match (self.split.choice, steps_for_splits) {
            (SplitChoice::Auto, None) => SplitRequest::none(),
            _ => SplitRequest {
                most_steps: steps_for_splits,
                ..self.split.clone()
            },
        }
    }

    fn cached(&self, used: &UsedAnalysis, game: &Game, host: &dyn Host) -> Option<CachedAnalysis> {
        self.with(used.length, self.request(used.steps_for_splits), game, host)
    }

    fn with(
        &self,
        length: usize,
        split: SplitRequest,
        game: &Game,
        host: &dyn Host,
    ) -> Option<CachedAnalysis> {
        let key = self.keys.of(length, &split, game, host);
        let bytes = host.cache().bytes_of(&key)?;
        Some(CachedAnalysis {
            length,
            split,
            steps: bytes as f64 * STEPS_OF_BYTE,
        })
    }

    /// Return the analyses that are kept, those of the longest sequences first.
    fn all(&self, game: &Game, host: &dyn Host) -> Vec<CachedAnalysis> {
        let noted: Option<UsedAnalysis> = self.read(USED, game, host);
        let is_split = noted.as_ref().is_some_and(|used| used.is_split);
        let noted = noted.and_then(|used| self.cached(&used, game, host));
        if is_split && noted.is_some() {
            // Splits that were worth it aren't given up for whole rules, and nothing shows whether
            // another result splits any.
            return noted.into_iter().collect();
        }
        let of_others = (FIRST_LENGTH + 1..=MOST_LENGTH).filter_map(|length| {
            let whole = std::iter::once(SplitRequest::none());
            let all = self.requests_of_others().chain(whole);
            all.filter_map(|split| self.with(length, split, game, host))
                .next()
        });
        let mut all: Vec<CachedAnalysis> = noted.into_iter().chain(of_others).collect();
        // The recorded one comes before others of its length.
        all.sort_by_key(|it| std::cmp::Reverse(it.length));
        all
    }

    /// Return the requests of `psvn analyze` and `--prune L` about splits.
    fn requests_of_others(&self) -> impl Iterator<Item = SplitRequest> + '_ {
        let wanted = self.split.choice != SplitChoice::None;
        let limits = [None, Some(STEPS_FOR_SPLITS)].into_iter();
        limits
            .filter(move |_| wanted)
            .map(|most_steps| SplitRequest {
                most_steps,
                ..self.split.clone()
            })
    }
}

/// Return limits that leave time to read a result, but not to compute it if it can't be read.
pub(crate) fn only_cached(limits: &Limits) -> Limits {
    Limits {
        time: Some(Duration::ZERO),
        ..limits.clone()
    }
}
