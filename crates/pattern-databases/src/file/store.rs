//! Tables that were built before.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use psvn_ir::Game;

use crate::database::{PatternDatabase, Prepared, Recipe};
use crate::file::details::{charged_values_text, goals_text};
use crate::file::{FORMAT_VERSION, FileError};
use crate::progress::{BuildError, Options};
use crate::table::Width;

/// Keeps the files of tables from one building to the next.
///
/// A table has a name: a text of several lines that says all that decides its bytes.
pub trait TableStore: Sync {
    /// The file of a table, if it is kept.
    fn find(&self, name: &str) -> Option<PathBuf>;

    /// Hears whether the file of a table could be used. One that couldn't is built anew.
    fn opened(&self, path: &Path, result: Result<(), &FileError>);

    /// Keep a table of so many bytes if it is worth it, by how long it took to build. `write`
    /// writes its file. Nobody hears of failure: the table is built again the next time.
    fn keep(&self, name: &str, took: Duration, bytes: u64, write: &WriteTable<'_>);
}

/// Writes the file of a table.
pub type WriteTable<'w> = dyn Fn(&mut dyn Write) -> io::Result<()> + 'w;

/// All that decides the bytes of a table.
pub(crate) fn name(game: &Game, recipe: &Recipe, assumed: &[String]) -> String {
    let charged = recipe.charged_values.as_deref().map(charged_values_text);
    format!(
        "table files: {FORMAT_VERSION}\ngame: {}\ngoals:\n{}\nabstraction:\n{}\npays:\n{}\nassumed:\n{}\n",
        game.content_hash(),
        goals_text(game),
        recipe.abstraction.to_file(game),
        charged.as_deref().unwrap_or("all"),
        assumed.join("\n"),
    )
}

impl PatternDatabase {
    /// The table of this name, if it is kept, in memory. One that wouldn't be built within the
    /// limits isn't taken, so that what is kept changes no result.
    pub(crate) fn kept(
        name: &str,
        game: &Game,
        prepared: &Prepared,
        options: &Options<'_>,
    ) -> Result<Option<Self>, BuildError> {
        let Some(store) = options.store else {
            return Ok(None);
        };
        if !prepared.may_be_kept(options) {
            return Ok(None);
        }
        let Some(path) = store.find(name) else {
            return Ok(None);
        };
        let table = match Self::open_with(&path, game, options) {
            Ok(table) if self::name(game, &table.recipe, &table.assumed) == name => Ok(table),
            Ok(_) => Err(FileError::Inconsistent("it is another table")),
            Err(FileError::Build(error @ BuildError::Stopped(_))) => return Err(error),
            Err(error) => Err(error),
        };
        store.opened(&path, table.as_ref().map(|_| ()));
        let is_allowed =
            |table: &Self| table.width() != Width::Short || prepared.plan.may_have_shorts(options);
        Ok(table.ok().filter(is_allowed).map(Self::in_memory))
    }

    /// Keep this table in the store, if there is one. Distances that were cut off are not kept:
    /// with more memory, they would be whole.
    pub(crate) fn keep(&self, name: &str, game: &Game, took: Duration, options: &Options<'_>) {
        if let Some(store) = options.store
            && !self.is_saturated
            && !options.should_stop()
        {
            let write = |mut out: &mut dyn Write| self.write(game, &mut out);
            store.keep(name, took, self.n_bytes(), &write);
        }
    }
}

impl Prepared {
    /// Whether the table is of the kind that stores keep: within limits that are too narrow for
    /// it, states are listed, as far as they fit.
    pub(crate) fn may_be_kept(&self, options: &Options<'_>) -> bool {
        options.check_memory(self.plan.bytes_needed()).is_ok()
    }
}
