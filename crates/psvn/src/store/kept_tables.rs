//! The tables of heuristics in the cache.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use pattern_databases::{FileError, TableStore, WriteTable};

use crate::environment::Environment;
use crate::store::cache::Key;
use crate::store::read::reason;
use crate::text::units::format_bytes;

/// The tables in the cache of some surroundings.
pub(crate) struct KeptTables<'e> {
    env: &'e Environment,
    n_used: AtomicUsize,
}

impl<'e> KeptTables<'e> {
    pub(crate) fn new(env: &'e Environment) -> Self {
        Self {
            env,
            n_used: AtomicUsize::new(0),
        }
    }

    /// How many tables were there and could be used.
    pub(crate) fn n_used(&self) -> usize {
        self.n_used.load(Ordering::Relaxed)
    }
}

fn key(name: &str) -> Key {
    let mut key = Key::new();
    key.push("table", name);
    key
}

impl TableStore for KeptTables<'_> {
    fn find(&self, name: &str) -> Option<PathBuf> {
        self.env.cache().table(&key(name))
    }

    fn opened(&self, path: &Path, result: Result<(), &FileError>) {
        let path = path.display();
        match result {
            Ok(()) => {
                self.n_used.fetch_add(1, Ordering::Relaxed);
                self.env
                    .detail(|| format!("a table comes from the cache: {path}"));
            }
            Err(error) => self.env.note(format!(
                "{path} in the cache can't be used, and is replaced: {error}"
            )),
        }
    }

    fn keep(&self, name: &str, took: Duration, bytes: u64, write: &WriteTable<'_>) {
        let cache = self.env.cache();
        if !cache.is_worth_keeping(took) {
            return;
        }
        match cache.put_table(&key(name), bytes, write) {
            Ok(()) => self.env.detail(|| {
                let bytes = format_bytes(u128::from(bytes));
                format!("a table of {bytes} is kept in the cache")
            }),
            Err(error) => self
                .env
                .detail(|| format!("a table can't be kept in the cache: {}", reason(&error))),
        }
    }
}
