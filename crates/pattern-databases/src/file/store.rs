//! Tables that were built earlier.

use std::error::Error;
use std::io::Write;
use std::time::Duration;

use psvn_ir::Game;

use crate::database::{PatternDatabase, Prepared, Recipe};
use crate::file::details::{charged_text, goals_text};
use crate::file::{FORMAT_VERSION, FileError};
use crate::progress::{BuildError, Options};
use crate::table::Width;

/// Return all data that determine the bytes of a table.
pub(crate) fn name(game: &Game, recipe: &Recipe, assumed: &[String]) -> String {
    let charged = charged_text(recipe);
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
    /// Return the table of this name, if it is kept, in memory. A table that couldn't be built
    /// within the limits isn't used, so that the store changes no result.
    pub(crate) fn kept(
        name: &str,
        game: &Game,
        recipe: &Recipe,
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
        let table = match Self::open_prepared(&path, game, options, Some((recipe, prepared))) {
            Ok(table) if self::name(game, &table.recipe, &table.assumed) == name => Ok(table),
            Ok(_) => Err(FileError::Inconsistent("it is another table")),
            Err(FileError::Build(error @ BuildError::Stopped(_))) => return Err(error),
            Err(error) => Err(error),
        };
        let opened = table.as_ref().map(|_| ());
        store.opened(&path, opened.map_err(|error| error as &dyn Error));
        let is_allowed =
            |table: &Self| table.width() != Width::Short || prepared.plan.may_have_shorts(options);
        Ok(table.ok().filter(is_allowed).map(Self::in_memory))
    }

    /// Keep this table in the store, if there is one. Tables with saturated distances are not kept:
    /// with more memory, the distances would be complete.
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
    /// Return whether stores keep this kind of table: if limits are too narrow for it, states are
    /// listed instead, as far as they fit.
    pub(crate) fn may_be_kept(&self, options: &Options<'_>) -> bool {
        options.check_memory(self.plan.bytes_needed()).is_ok()
    }
}
