//! Output files for tables: all of them are written, or none.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use budget::{Limits, Watch};
use container::atomic::{Complete, Target};
use pattern_databases::{CoordinateTable, Options, PatternDatabase};
use psvn_ir::Game;

use super::names;
use crate::PrepareError as Error;

/// The files for tables.
pub(super) struct Outputs {
    paths: Vec<PathBuf>,
    targets: Vec<Target>,
}

impl Outputs {
    /// The files for this many tables: `table.pdb` for one, `table-1.pdb`, `table-2.pdb` and so on
    /// for several. Files that can't be written are refused before anything is built.
    pub(super) fn find(path: &Path, n: usize) -> Result<Self, Error> {
        let find = |path: &Path| Target::find(path).map_err(|error| Error::of_writing(path, error));
        if n == 1 {
            return Ok(Self {
                targets: vec![find(path)?],
                paths: vec![path.to_owned()],
            });
        }
        let is_other = |it: std::fs::Metadata| !it.is_file() && !it.is_dir();
        if std::fs::metadata(path).is_ok_and(is_other) {
            return Err(Error::NotRegular {
                path: path.to_owned(),
                tables: n,
            });
        }
        let paths: Vec<PathBuf> = (1..=n)
            .map(|number| names::numbered(path, number))
            .collect();
        Ok(Self {
            targets: paths
                .iter()
                .map(|path| find(path))
                .collect::<Result<_, _>>()?,
            paths,
        })
    }

    pub(super) fn paths(&self) -> &[PathBuf] {
        &self.paths
    }
}

/// A table, in memory or in an unfinished file.
pub(super) struct Made {
    pub(super) table: PatternDatabase,
    /// The file, until it has its name. Dropped, it is gone.
    unfinished: Option<Complete>,
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
    /// Move a table from memory to an unfinished file beside its final one.
    pub(super) fn put_aside(
        self,
        game: &Game,
        path: &Path,
        options: &Options<'_>,
    ) -> Result<Self, Error> {
        let target = Target::find(path).map_err(|error| Error::of_writing(path, error))?;
        if !target.is_file() {
            return Ok(self);
        }
        let complete = write(target, path, options, |mut out| {
            self.table.write(game, &mut out)
        })?;
        drop(self.table);
        let place = complete.path().unwrap_or(path);
        // The table is complete, so no limit on time may lose it.
        let options = Options {
            budget: Watch::new(Limits {
                interrupt: options.budget.limits().interrupt.clone(),
                ..Limits::default()
            }),
            ..Options::default()
        };
        let table = PatternDatabase::open_with(place, game, &options)
            .map_err(|error| Error::of_file(path, error))?;
        Ok(Self {
            table,
            unfinished: Some(complete),
        })
    }
}

/// Write tables to their files. No file gets its name before everything is written.
pub(super) fn write_all(
    tables: &mut [Made],
    outputs: Outputs,
    game: &Game,
    options: &Options<'_>,
) -> Result<(), Error> {
    let mut complete = Vec::new();
    for ((made, target), path) in tables.iter_mut().zip(outputs.targets).zip(&outputs.paths) {
        complete.push(match made.unfinished.take() {
            Some(unfinished) => unfinished,
            None => write(target, path, options, |mut out| {
                made.table.write(game, &mut out)
            })?,
        });
    }
    for (complete, path) in complete.into_iter().zip(&outputs.paths) {
        complete
            .take_place()
            .map_err(|error| Error::of_writing(path, error))?;
    }
    Ok(())
}

/// Write a table of coordinates to its file.
pub(super) fn write_coordinates(
    table: &CoordinateTable,
    outputs: Outputs,
    game: &Game,
    options: &Options<'_>,
) -> Result<(), Error> {
    for (target, path) in outputs.targets.into_iter().zip(&outputs.paths) {
        let complete = write(target, path, options, |mut out| table.write(game, &mut out))?;
        complete
            .take_place()
            .map_err(|error| Error::of_writing(path, error))?;
    }
    Ok(())
}

fn write(
    target: Target,
    path: &Path,
    options: &Options<'_>,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<Complete, Error> {
    let interrupt = options.budget.limits().interrupt.as_deref();
    let written = target.begin().and_then(|mut draft| {
        let mut out = Stoppable {
            inner: &mut draft,
            interrupt,
        };
        write(&mut out)?;
        draft.complete()
    });
    written.map_err(|error| {
        if interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Error::Interrupted;
        }
        Error::of_writing(path, error)
    })
}

/// A writer that gives up when the work is cancelled.
struct Stoppable<'a, W> {
    inner: &'a mut W,
    interrupt: Option<&'a AtomicBool>,
}

impl<W: Write> Write for Stoppable<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self
            .interrupt
            .is_some_and(|flag| flag.load(Ordering::Relaxed))
        {
            // Not `ErrorKind::Interrupted`, after which writing is tried again.
            return Err(io::Error::other("interrupted"));
        }
        self.inner.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}
