//! Tables between being built and being written: all of them are written, or none.

use std::path::Path;

use pattern_databases::PatternDatabase;
use psvn_ir::Game;
use tempfile::TempPath;

use crate::atomic_file::{TEMPORARY_PREFIX, folder_of};
use crate::failure::Failure;
use crate::{input, pdb_failure};

/// A table, in memory or in an unfinished file.
pub(super) struct Made {
    pub(super) table: PatternDatabase,
    /// The file, until it has its name. Dropped, it is gone.
    unfinished: Option<TempPath>,
}

impl From<PatternDatabase> for Made {
    fn from(table: PatternDatabase) -> Self {
        Self {
            table,
            unfinished: None,
        }
    }
}

impl Made {
    /// Moves a table from memory to an unfinished file beside `output`.
    pub(super) fn put_aside(
        game: &Game,
        table: PatternDatabase,
        output: &Path,
    ) -> Result<Self, Failure> {
        if output.exists() && !output.is_file() {
            // A device or a pipe, or a mistake that writing tells of.
            return Ok(Self::from(table));
        }
        let mut builder = tempfile::Builder::new();
        builder.prefix(TEMPORARY_PREFIX);
        let unfinished = builder
            .tempfile_in(folder_of(output))
            .map_err(|error| cannot_write(output, &error))?
            .into_temp_path();
        table
            .save(game, &unfinished)
            .map_err(|error| pdb_failure::of_file("write", output, &error))?;
        drop(table);
        let table = PatternDatabase::open(&unfinished, game)
            .map_err(|error| pdb_failure::of_file("use", &unfinished, &error))?;
        Ok(Self {
            table,
            unfinished: Some(unfinished),
        })
    }

    /// Writes the table to its place.
    pub(super) fn write(&mut self, game: &Game, path: &Path) -> Result<(), Failure> {
        match self.unfinished.take() {
            Some(unfinished) => unfinished
                .persist(path)
                .map_err(|error| cannot_write(path, &error.error)),
            None => self
                .table
                .save(game, path)
                .map_err(|error| pdb_failure::of_file("write", path, &error)),
        }
    }
}

fn cannot_write(path: &Path, error: &std::io::Error) -> Failure {
    Failure::input(format!(
        "can't write `{}`: {}",
        path.display(),
        input::reason(error)
    ))
}
