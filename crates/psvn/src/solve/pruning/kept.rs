//! What `--prune auto` finds in the cache: longer sequences that earlier runs compared.
//!
//! Auto notes in the cache which analysis it took last, since how much work it allowed the choice
//! of splits is not to be guessed. Those that `psvn analyze --start` or `--prune L` kept serve as
//! well.

use std::time::Duration;

use invariants::Invariants;
use move_prune::Limits;
use serde::{Deserialize, Serialize};

use super::STEPS_FOR_SPLITS;
use super::worth::{FIRST_LENGTH, Known};
use crate::analysis::{Redundant, RedundantKeys, SplitChoice, SplitRequest};
use crate::environment::Environment;
use crate::game::{Game, SearchFor};
use crate::store::Cache;
use crate::store::cache::{Key, Lookup};

/// The greatest length for which kept analyses of other commands are looked up.
const MOST_LENGTH: usize = 16;

/// The steps of reading one byte of a result: its checksum, its words, its machine.
const STEPS_OF_BYTE: f64 = 10.0;

/// The steps of a result that is read before a search begins: some milliseconds.
const STEPS_AT_ONCE: f64 = 2e7;

/// An analysis made for a search is kept if it took this part of what others must take: the search
/// loses more by coming to it late than by making it.
const PART_OF_LEAST_TIME: u32 = 100;

/// An analysis that is in the cache.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Kept {
    pub(super) length: usize,
    pub(super) split: SplitRequest,
    /// The steps that it takes to read it.
    pub(super) steps: f64,
}

impl Kept {
    /// The steps that the choice of splits might take, if there was one.
    pub(super) fn steps_for_splits(&self) -> Option<u64> {
        match self.split.choice {
            SplitChoice::None => None,
            SplitChoice::Auto | SplitChoice::All => Some(self.split.most_steps.unwrap_or(u64::MAX)),
        }
    }
}

/// What is in the cache for searches in a game, as it was when the searches were prepared.
#[derive(Debug)]
pub(super) struct KeptAnalyses {
    /// `None` without a cache.
    shelf: Option<Shelf>,
    /// Those with the longest sequences come first.
    all: Vec<Kept>,
}

impl KeptAnalyses {
    /// Look for analyses for searches from states with some invariants.
    pub(super) fn find(
        game: &Game,
        (assumed, search_for): (&Invariants, SearchFor),
        split: &SplitRequest,
        env: &Environment,
    ) -> Self {
        let shelf = env.cache().folder().map(|_| Shelf {
            keys: Redundant::keys(game, assumed.clone(), search_for),
            split: split.clone(),
        });
        let all = shelf.as_ref().map(|shelf| shelf.all(game, env));
        Self {
            all: all.unwrap_or_default(),
            shelf,
        }
    }

    /// The one that is read before a search begins.
    pub(super) fn at_once(&self) -> Option<&Kept> {
        self.all.iter().find(|it| it.steps <= STEPS_AT_ONCE)
    }

    /// One with longer sequences than are known, if to read it takes no more than some steps.
    pub(super) fn longer(&self, known: &Known, most_steps: f64) -> Option<&Kept> {
        let longer = |it: &&Kept| {
            (known.length + 1..known.unusable_from).contains(&it.length)
                && known.may_use(it.steps_for_splits().is_some())
        };
        let mut longer = self.all.iter().filter(longer);
        longer.find(|it| it.steps <= most_steps)
    }

    /// Note what a search took, if it is kept.
    pub(super) fn note(
        &self,
        length: usize,
        steps_for_splits: Option<u64>,
        game: &Game,
        env: &Environment,
    ) {
        if let Some(shelf) = &self.shelf {
            shelf.note(length, steps_for_splits, game, env);
        }
    }
}

/// What auto took last, as the cache keeps it.
#[derive(Serialize, Deserialize)]
struct Taken {
    length: usize,
    /// The steps that the choice of splits might take, if there was one.
    steps_for_splits: Option<u64>,
}

/// Where analyses for searches in a game are kept.
#[derive(Debug)]
struct Shelf {
    keys: RedundantKeys,
    /// What is to be split.
    split: SplitRequest,
}

impl Shelf {
    /// The key of the note.
    fn key(&self, game: &Game, env: &Environment) -> Key {
        let mut key = self.keys.of(FIRST_LENGTH, &self.split, game, env);
        key.push("for", "auto");
        key
    }

    /// Note what a search took, if it is kept.
    fn note(&self, length: usize, steps_for_splits: Option<u64>, game: &Game, env: &Environment) {
        let taken = Taken {
            length,
            steps_for_splits,
        };
        let Some(_) = self.kept(&taken, game, env) else {
            return;
        };
        // That it can't be noted is no reason to fail.
        if let Ok(text) = serde_json::to_string(&taken) {
            let _ = env.cache().put(&self.key(game, env), text, Vec::new());
        }
    }

    /// The request of what was taken.
    fn request(&self, steps_for_splits: Option<u64>) -> SplitRequest {
        match (self.split.choice, steps_for_splits) {
            (SplitChoice::Auto, None) => SplitRequest::none(),
            _ => SplitRequest {
                most_steps: steps_for_splits,
                ..self.split.clone()
            },
        }
    }

    fn kept(&self, taken: &Taken, game: &Game, env: &Environment) -> Option<Kept> {
        self.with(
            taken.length,
            self.request(taken.steps_for_splits),
            game,
            env,
        )
    }

    fn with(
        &self,
        length: usize,
        split: SplitRequest,
        game: &Game,
        env: &Environment,
    ) -> Option<Kept> {
        let key = self.keys.of(length, &split, game, env);
        let bytes = env.cache().bytes_of(&key)?;
        Some(Kept {
            length,
            split,
            steps: bytes as f64 * STEPS_OF_BYTE,
        })
    }

    /// The analyses that are kept, those with the most first. Nothing shorter than what auto took
    /// last is among them.
    fn all(&self, game: &Game, env: &Environment) -> Vec<Kept> {
        let noted = match env.cache().get(&self.key(game, env)) {
            Lookup::Found(entry) => serde_json::from_str::<Taken>(&entry.summary).ok(),
            Lookup::Missing | Lookup::Unusable { .. } => None,
        };
        let noted = noted.and_then(|taken| self.kept(&taken, game, env));
        let least = noted.as_ref().map_or(FIRST_LENGTH, |noted| noted.length);
        let splits = noted
            .as_ref()
            .is_some_and(|it| it.split.choice != SplitChoice::None);
        let of_others = (least + 1..=MOST_LENGTH).rev().filter_map(|length| {
            // Of the same length, splits leave fewer nodes.
            let whole = (!splits).then(SplitRequest::none);
            let all = self.requests_of_others().chain(whole);
            all.filter_map(|split| self.with(length, split, game, env))
                .next()
        });
        of_others.chain(noted).collect()
    }

    /// What `psvn analyze` and `--prune L` ask about splits.
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

/// Limits that leave time to read a result, and none to find it anew where it can't be read.
pub(super) fn only_kept(limits: &Limits) -> Limits {
    Limits {
        time: Some(Duration::ZERO),
        ..limits.clone()
    }
}

/// The same surroundings, where more is kept than usual.
pub(super) fn keeping(env: &Environment) -> Environment {
    let cache: Cache = env.cache().clone();
    let least = cache.least_time() / PART_OF_LEAST_TIME;
    env.clone().with_cache(cache.with_least_time(least))
}
