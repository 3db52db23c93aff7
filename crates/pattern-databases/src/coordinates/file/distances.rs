//! Distances of entries in full, which look-ups of duals need, kept in stores.

use std::path::Path;
use std::time::Duration;

use psvn_ir::Game;

use super::stored::{from_store, to_store};
use super::words::{self, Magic, VERSION, WordFile};
use crate::coordinates::CoordinatePattern;
use crate::file::FileError;
use crate::file::details::goals_text;
use crate::progress::{BuildError, Options};

const MAGIC: Magic = *b"PSVNPDD\0";

/// The distances of a pattern's entries, as files of a store.
pub(in crate::coordinates) struct KeptDistances<'a> {
    pub(in crate::coordinates) game: &'a Game,
    pub(in crate::coordinates) pattern: &'a CoordinatePattern,
}

impl KeptDistances<'_> {
    /// Return all texts of a file: the pattern, the goals.
    fn details(&self) -> String {
        let pattern = self.pattern.to_text(self.game);
        format!("{pattern}\n{}", goals_text(self.game))
    }

    /// Return all data that determine the distances.
    fn name(&self) -> String {
        let hash = self.game.content_hash();
        let details = self.details();
        format!("distances of coordinates: {VERSION}\ngame: {hash}\npattern: {details}\n")
    }

    /// Return whether the store of the options has them.
    pub(super) fn are_kept(&self, options: &Options<'_>) -> bool {
        let store = options.store;
        store.is_some_and(|store| store.has(&self.name()))
    }

    /// Return the distances, of which there are `n_words` words, if the store has them.
    pub(in crate::coordinates) fn find(
        &self,
        n_words: u64,
        options: &Options<'_>,
    ) -> Result<Option<Vec<u64>>, BuildError> {
        from_store(&self.name(), options, |path| {
            self.read(path, n_words, options)
        })
    }

    fn read(
        &self,
        path: &Path,
        n_words: u64,
        options: &Options<'_>,
    ) -> Result<Vec<u64>, FileError> {
        let file = WordFile::open(path, &MAGIC, self.game)?;
        if file.details() != Some(&*self.details()) {
            return Err(FileError::Inconsistent("it is another table"));
        }
        file.words(n_words, options)
    }

    /// Keep distances in the store, if there is one.
    pub(in crate::coordinates) fn keep(
        &self,
        distances: &[u64],
        took: Duration,
        options: &Options<'_>,
    ) {
        to_store(&self.name(), distances.len(), took, options, &|mut out| {
            let hash = self.game.content_hash();
            words::write(&MAGIC, hash, &self.details(), distances, &mut out)
        });
    }
}
