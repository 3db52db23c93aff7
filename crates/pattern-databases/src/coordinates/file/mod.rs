//! Files of tables of coordinates, also in stores. `docs/file-format.md` describes the format.

pub(super) mod distances;
mod stored;
mod words;

use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use psvn_ir::Game;

use self::distances::KeptDistances;
use self::stored::{from_store, to_store};
use self::words::{Magic, VERSION, WordFile};
use super::classes::Classes;
use super::layout::ALIGNED;
use super::layout::parts::PartsLayout;
use super::lookup::Lookup;
use super::pattern::CoordinatePattern;
use super::{CoordinateTable, Prepared};
use crate::file::FileError;
use crate::file::details::goals_text;
use crate::progress::{BuildError, Options};

const MAGIC: Magic = *b"PSVNPDC\0";

/// Return all texts of a file: the numbers of entries by distance, the pattern, the goals.
fn details(game: &Game, pattern: &CoordinatePattern, levels: &[u64]) -> String {
    let levels: Vec<String> = levels.iter().map(u64::to_string).collect();
    format!(
        "{}\n{}\n{}",
        levels.join(" "),
        pattern.to_text(game),
        goals_text(game)
    )
}

/// Return all data that determine the bytes of a table.
fn name(game: &Game, pattern: &CoordinatePattern) -> String {
    format!(
        "tables of coordinates: {VERSION}\ngame: {}\npattern: {}\ngoals:\n{}\n",
        game.content_hash(),
        pattern.to_text(game),
        goals_text(game),
    )
}

impl CoordinateTable {
    /// Write the table as a file.
    ///
    /// # Errors
    /// If the writer fails.
    pub fn write(&self, game: &Game, out: &mut impl Write) -> io::Result<()> {
        let details = details(game, &self.pattern, &self.levels);
        words::write(&MAGIC, self.game, &details, self.lookup.words(), out)
    }

    /// Return whether a file begins like the file of such a table.
    pub fn is_file(path: &Path) -> bool {
        words::begins_with(path, &MAGIC)
    }

    /// Read a file into memory, and compare it with its checksums.
    ///
    /// # Errors
    /// If the file can't be read, is damaged, was built for another game or other goals, or a limit
    /// is reached.
    pub fn open(path: &Path, game: &Game, options: &Options<'_>) -> Result<Self, FileError> {
        let file = WordFile::open(path, &MAGIC, game)?;
        let parts = file.details().and_then(|details| {
            let (levels, rest) = details.split_once('\n')?;
            let (pattern, goals) = rest.split_once('\n')?;
            let levels = levels.split(' ').map(|it| it.parse().ok());
            Some((levels.collect::<Option<Vec<u64>>>()?, pattern, goals))
        });
        let (levels, pattern, goals) =
            parts.ok_or(FileError::Inconsistent("its texts don't end well"))?;
        if goals != goals_text(game) {
            return Err(FileError::OtherGoals);
        }
        let pattern = CoordinatePattern::parse(game, pattern)
            .map_err(|_| FileError::Inconsistent("its pattern can't be read"))?;
        let Prepared { moves, layout } = Prepared::new(game, &pattern, options)?;
        let bytes = u128::from(file.n_words()) * 8;
        options.check_memory(bytes + layout.bytes(moves.permutations.len()))?;
        let classes = Classes::new(&moves, &layout, options)?;
        let n_classes = classes.first.len() as u64;
        let parts = match pattern.parts {
            None => None,
            Some(n_parts) => Some(PartsLayout::new(&layout, n_classes, n_parts)?),
        };
        let n_words = match parts {
            None => n_classes * layout.per_class / ALIGNED,
            Some(parts) => parts.n_words(),
        };
        let words = file.words(n_words, options)?;
        Ok(Self {
            game: file.game(),
            pattern,
            lookup: Lookup::new(&moves, &layout, &classes, parts, words),
            moves,
            layout,
            levels,
            dual: None,
        })
    }

    /// Return the table of a pattern if the store has it.
    pub(super) fn kept(
        game: &Game,
        pattern: &CoordinatePattern,
        options: &Options<'_>,
    ) -> Result<Option<Self>, BuildError> {
        from_store(&name(game, pattern), options, |path| {
            let table = Self::open(path, game, options)?;
            if table.pattern == *pattern {
                Ok(table)
            } else {
                Err(FileError::Inconsistent("it is another table"))
            }
        })
    }

    /// Return whether the store of the options has the table of a pattern.
    pub fn is_kept(game: &Game, pattern: &CoordinatePattern, options: &Options<'_>) -> bool {
        options
            .store
            .is_some_and(|store| store.has(&name(game, pattern)))
    }

    /// Return whether the store of the options has what look-ups of duals need beside the table of
    /// a pattern.
    pub fn are_duals_kept(game: &Game, pattern: &CoordinatePattern, options: &Options<'_>) -> bool {
        let coarse = &pattern.coarse();
        let distances = KeptDistances {
            game,
            pattern: coarse,
        };
        pattern.parts.is_some() || distances.are_kept(options)
    }

    /// Keep the table in the store, if there is one.
    pub(super) fn keep(&self, game: &Game, took: Duration, options: &Options<'_>) {
        let n_words = self.lookup.words().len();
        to_store(
            &name(game, &self.pattern),
            n_words,
            took,
            options,
            &|mut out| self.write(game, &mut out),
        );
    }
}
