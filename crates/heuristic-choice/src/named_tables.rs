//! The tables that searches named, as recorded in the cache, for `auto` to consider.
//!
//! The cache keeps tables by their content. So a list of them by game is kept beside them.

use container::cache::{Key, Lookup};
use heuristics::tables::{Candidate, Family};
use pattern_databases::Options;
use psvn_ir::Game;
use serde::{Deserialize, Serialize};

use crate::Host;
use crate::spec::TableSpec;

/// The number of lists that are kept for a game, those named last.
const MOST: usize = 16;

/// Tables that a search named.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct NamedTables {
    /// The patterns of the tables of each sum.
    sums: Vec<Vec<String>>,
    /// The number of images under symmetries for which they are looked up, too.
    n_mirrored: usize,
    /// Whether they are looked up for duals.
    duals: bool,
}

impl NamedTables {
    /// Return the tables that a search names, if all are patterns: files aren't in the cache.
    pub(crate) fn new(sums: &[Vec<TableSpec>], n_mirrored: usize, duals: bool) -> Option<Self> {
        let pattern = |table: &TableSpec| match table {
            TableSpec::Pattern(text) => Some(text.clone()),
            TableSpec::File(_) => None,
        };
        let sum = |tables: &Vec<TableSpec>| tables.iter().map(pattern).collect();
        Some(Self {
            sums: sums.iter().map(sum).collect::<Option<_>>()?,
            n_mirrored,
            duals,
        })
    }

    /// Record that a search named them. If that fails, `auto` only knows less.
    pub(crate) fn note(self, game: &Game, host: &dyn Host) {
        let before = all(game, host);
        if before.first() == Some(&self) {
            return;
        }
        let others = before.into_iter().filter(|other| *other != self);
        let lists: Vec<Self> = std::iter::once(self.clone())
            .chain(others)
            .take(MOST)
            .collect();
        if let Ok(text) = serde_json::to_string(&lists) {
            let _ = host.cache().put(&key(game, host), text, Vec::new());
        }
    }
}

fn key(game: &Game, host: &dyn Host) -> Key {
    let mut key = host.new_key();
    key.push("tables named for the game", game.content_hash());
    key
}

/// The recorded tables of a game, those named last first.
fn all(game: &Game, host: &dyn Host) -> Vec<NamedTables> {
    match host.cache().get(&key(game, host)) {
        Lookup::Found(entry) => serde_json::from_str(&entry.summary).unwrap_or_default(),
        Lookup::Missing | Lookup::Unusable { .. } => Vec::new(),
    }
}

/// Return a family for each recorded list of tables that are still kept and aren't among `others`.
pub(crate) fn families(
    game: &Game,
    host: &dyn Host,
    options: &Options<'_>,
    others: &[Family],
) -> Vec<Family> {
    let candidate =
        |it: NamedTables| Candidate::of_kept(game, &it.sums, it.n_mirrored, it.duals, options);
    let is_new = |candidate: &Candidate| {
        let mut known = others.iter().flat_map(|family| &family.candidates);
        !known.any(|other| other.is_same(candidate))
    };
    let found = all(game, host).into_iter().filter_map(candidate);
    let family = |candidate| Family {
        candidates: vec![candidate],
    };
    found.filter(is_new).map(family).collect()
}
