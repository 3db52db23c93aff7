//! The tables of heuristics in the cache.

use std::collections::HashSet;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use budget::format_bytes;
use container::cache::Key;
use container::files::reason;
use pattern_databases::{TableStore, WriteTable};

use crate::Host;

/// The tables in the cache of a host.
pub(crate) struct KeptTables<'h> {
    host: &'h dyn Host,
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

impl<'h> KeptTables<'h> {
    pub(crate) fn new(host: &'h dyn Host) -> Self {
        Self {
            host,
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

    fn key(&self, name: &str) -> Key {
        let mut key = self.host.new_key();
        key.push("table", name);
        key
    }

    fn counts(&self) -> MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl TableStore for KeptTables<'_> {
    fn find(&self, name: &str) -> Option<PathBuf> {
        self.host.cache().table(&self.key(name))
    }

    fn has(&self, name: &str) -> bool {
        self.host.cache().has_table(&self.key(name))
    }

    fn opened(&self, path: &Path, result: Result<(), &dyn Error>) {
        if let Err(error) = result {
            let path = path.display();
            return self.host.note(format!(
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
        self.host.detail(&message);
    }

    fn keep(&self, name: &str, took: Duration, bytes: u64, write: &WriteTable<'_>) {
        let cache = self.host.cache();
        if !cache.is_worth_keeping(took) {
            return;
        }
        match cache.put_table(&self.key(name), bytes, write) {
            Ok(Some(path)) => {
                self.counts().own.insert(path);
                self.host.detail(&|| {
                    let bytes = format_bytes(u128::from(bytes));
                    format!("a table of {bytes} is kept in the cache")
                });
            }
            Ok(None) => {}
            Err(error) => self
                .host
                .detail(&|| format!("a table can't be kept in the cache: {}", reason(&error))),
        }
    }
}
