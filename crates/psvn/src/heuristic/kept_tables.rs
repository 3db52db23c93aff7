//! The tables of heuristics in the cache.

use std::collections::HashSet;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use pattern_databases::{TableStore, WriteTable};

use crate::environment::Environment;
use crate::store::cache::Key;
use crate::store::new_key;
use crate::store::read::reason;
use crate::text::units::format_bytes;

/// The tables in the cache of an environment.
pub(crate) struct KeptTables<'e> {
    env: &'e Environment,
    counts: Mutex<Counts>,
}

#[derive(Default)]
struct Counts {
    /// The tables that this value stored.
    own: HashSet<PathBuf>,
    /// The tables that were there before and could be used.
    before: HashSet<PathBuf>,
    /// The number of times that a file could be used.
    n_opened: usize,
}

impl<'e> KeptTables<'e> {
    pub(crate) fn new(env: &'e Environment) -> Self {
        Self {
            env,
            counts: Mutex::default(),
        }
    }

    /// The number of tables that were there before and could be used.
    pub(crate) fn n_from_before(&self) -> usize {
        self.counts().before.len()
    }

    /// The number of times that a table was read rather than built.
    pub(crate) fn n_opened(&self) -> usize {
        self.counts().n_opened
    }

    /// Whether a table was stored, or was there before.
    pub(crate) fn is_used(&self) -> bool {
        let counts = self.counts();
        !counts.own.is_empty() || !counts.before.is_empty()
    }

    fn counts(&self) -> MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn key(name: &str) -> Key {
    let mut key = new_key();
    key.push("table", name);
    key
}

impl TableStore for KeptTables<'_> {
    fn find(&self, name: &str) -> Option<PathBuf> {
        self.env.cache().table(&key(name))
    }

    fn has(&self, name: &str) -> bool {
        self.env.cache().has_table(&key(name))
    }

    fn opened(&self, path: &Path, result: Result<(), &dyn Error>) {
        if let Err(error) = result {
            let path = path.display();
            return self.env.note(format!(
                "{path} in the cache can't be used, and is replaced: {error}"
            ));
        }
        let mut counts = self.counts();
        counts.n_opened += 1;
        if !counts.own.contains(path) {
            counts.before.insert(path.to_owned());
        }
        drop(counts);
        let message = || format!("a table comes from the cache: {}", path.display());
        self.env.detail(message);
    }

    fn keep(&self, name: &str, took: Duration, bytes: u64, write: &WriteTable<'_>) {
        let cache = self.env.cache();
        if !cache.is_worth_keeping(took) {
            return;
        }
        match cache.put_table(&key(name), bytes, write) {
            Ok(Some(path)) => {
                self.counts().own.insert(path);
                self.env.detail(|| {
                    let bytes = format_bytes(u128::from(bytes));
                    format!("a table of {bytes} is kept in the cache")
                });
            }
            Ok(None) => {}
            Err(error) => self
                .env
                .detail(|| format!("a table can't be kept in the cache: {}", reason(&error))),
        }
    }
}
