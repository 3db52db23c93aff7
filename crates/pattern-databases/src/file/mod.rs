//! Writing files of tables, and the checks on opening them. `docs/file-format.md` describes the
//! format.

pub(crate) mod checksums;
pub(crate) mod details;
mod error;
mod header;
pub(crate) mod store;

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use abstraction::Abstraction;
use invariants::Invariants;
use memmap2::{Mmap, MmapOptions};
use psvn_ir::Game;

pub use crate::file::error::{FORMAT_VERSION, FileError};

use crate::database::{PatternDatabase, Prepared, Recipe, Transform};
use crate::file::details::{
    Details, charged_text, goals_text, parse_charged_rules, parse_charged_values,
};
use crate::file::header::{BLOCK, CHARGED, HEADER, Header, KEY, LISTED, RULES, SATURATED};
use crate::progress::Options;
use crate::ranking::listed::Listed;
use crate::ranking::{Factor, Ranking};
use crate::table::Table;

/// Map a file that has at least a header of this number of bytes.
pub(crate) fn map_file(path: &Path, header: usize) -> Result<Mmap, FileError> {
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    if metadata.is_dir() {
        return Err(io::Error::from(io::ErrorKind::IsADirectory).into());
    }
    if metadata.len() < header as u64 {
        return Err(FileError::Magic);
    }
    // SAFETY: the mapping is private and read-only. The caller must ensure that the file isn't
    // changed, as for any mapped file; all reads are checked against the mapping's length.
    Ok(unsafe { MmapOptions::new().map_copy_read_only(&file)? })
}

impl PatternDatabase {
    /// Write a table as a file. A table that is looked up for images or duals of states is written
    /// without that map.
    ///
    /// Large parts are written in chunks of 1 MiB, so no buffer is needed.
    ///
    /// # Errors
    /// If the writer fails.
    ///
    /// # Panics
    /// If the game is another one.
    pub fn write(&self, game: &Game, out: &mut impl Write) -> io::Result<()> {
        let details = Details {
            abstraction: self.recipe.abstraction.to_file(game),
            charged_values: charged_text(&self.recipe).unwrap_or_default(),
            goals: goals_text(game),
            assumed: self.assumed.join("\n"),
            ranking: self.ranking.describe(),
        }
        .to_bytes();
        let table = &self.table.bytes()[..self.n_bytes() as usize];
        let listed = self.ranking.as_listed();
        let keys = listed.map_or(&[][..], Listed::keys);
        let mut flags = 0;
        for (flag, is_set) in [
            (SATURATED, self.is_saturated),
            (CHARGED, self.recipe.charged_values.is_some()),
            (LISTED, listed.is_some()),
            (RULES, self.recipe.charged_rules.is_some()),
        ] {
            flags |= if is_set { flag } else { 0 };
        }
        let checksums = checksums::of_blocks(table, keys);
        let checksums = checksums::to_bytes(&checksums);
        let header = Header {
            version: FORMAT_VERSION,
            width: self.table.width(),
            game: self.game,
            entries: self.table.n(),
            unit: self.unit,
            details: details.len() as u64,
            flags,
            details_checksum: crc32fast::hash(&details),
            contents_checksum: crc32fast::hash(&checksums),
        };
        out.write_all(&header.to_bytes())?;
        out.write_all(&details)?;
        out.write_all(&vec![0; header.table_begin() - header.details_end()])?;
        for block in table.chunks(BLOCK) {
            out.write_all(block)?;
        }
        let mut bytes = Vec::new();
        for keys in keys.chunks(BLOCK / KEY) {
            bytes.clear();
            for key in keys {
                bytes.extend_from_slice(&key.to_le_bytes());
            }
            out.write_all(&bytes)?;
        }
        out.write_all(&checksums)
    }

    /// Open a file and map its table into memory. All of it is read once and compared with its
    /// checksums.
    ///
    /// **The file must not be changed in place while it is in use**: replace it as a whole.
    ///
    /// # Errors
    /// If the file can't be read, is damaged at any place, or was built for another game or other
    /// goals.
    pub fn open(path: &Path, game: &Game) -> Result<Self, FileError> {
        Self::open_with(path, game, &Options::default())
    }

    /// Open a file within limits. A list of states is held in memory and must fit; the mapped table
    /// doesn't count.
    ///
    /// # Errors
    /// As for [`open`](Self::open), and if a limit is reached or the work was interrupted
    /// ([`FileError::Build`]).
    pub fn open_with(path: &Path, game: &Game, options: &Options<'_>) -> Result<Self, FileError> {
        Self::open_prepared(path, game, options, None)
    }

    /// Open a file within limits, with the preparation of the table if it already exists.
    pub(crate) fn open_prepared(
        path: &Path,
        game: &Game,
        options: &Options<'_>,
        ready: Option<(&Recipe, &Prepared)>,
    ) -> Result<Self, FileError> {
        let map = map_file(path, HEADER)?;
        let header = Header::read(&map)?;
        let details = &map[HEADER..header.details_end()];
        if crc32fast::hash(details) != header.details_checksum {
            return Err(FileError::Checksum("description"));
        }
        let details = Details::from_bytes(details)
            .ok_or(FileError::Inconsistent("its texts don't end well"))?;
        // Check that it is the right file before anything that takes time.
        let expected = game.content_hash();
        if header.game != expected {
            return Err(FileError::OtherGame {
                found: header.game,
                expected,
            });
        }
        if details.goals != goals_text(game) {
            return Err(FileError::OtherGoals);
        }
        checksums::verify(&map, &header, options)?;
        options.check_memory(header.keys_bytes().into())?;
        Self::from_parts(game, &header, &details, map, options, ready)
    }

    fn from_parts(
        game: &Game,
        header: &Header,
        details: &Details,
        map: Mmap,
        options: &Options<'_>,
        ready: Option<(&Recipe, &Prepared)>,
    ) -> Result<Self, FileError> {
        let abstraction = Abstraction::from_file(game, &details.abstraction)
            .map_err(|_| FileError::Inconsistent("its abstraction can't be read"))?;
        let charged_values = match header.flags & CHARGED {
            0 => None,
            _ => Some(
                parse_charged_values(game, &details.charged_values)
                    .ok_or(FileError::Inconsistent("who pays for steps can't be read"))?,
            ),
        };
        let charged_rules = match header.flags & RULES {
            0 => None,
            _ => Some(parse_charged_rules(game, &details.charged_values).ok_or(
                FileError::Inconsistent("the rules it pays for can't be read"),
            )?),
        };
        let recipe = Recipe {
            abstraction,
            charged_values,
            charged_rules,
        };
        let assumed: Vec<String> = details.assumed.lines().map(str::to_owned).collect();
        let is_ready = |(of, prepared): &(&Recipe, &Prepared)| {
            let plan = &prepared.plan;
            let ranking = plan.shared.as_ref().unwrap_or(&plan.ranking);
            **of == recipe
                && prepared.invariants.to_lines(game) == assumed
                && (header.flags & LISTED != 0 || ranking.describe() == details.ranking)
        };
        let made;
        let prepared = match ready.filter(is_ready) {
            Some((_, prepared)) => prepared,
            None => {
                made = prepare(game, &recipe, &assumed, &details.ranking, options)?;
                &made
            }
        };
        let is_saturated = header.flags & SATURATED != 0;
        let ranking = prepared.plan.shared.clone();
        let is_consistent = ranking.is_none() && !is_saturated;
        let mut ranking = ranking.unwrap_or_else(|| prepared.plan.ranking.clone());
        if header.flags & LISTED != 0 {
            let begin = header.table_begin() + header.table_bytes() as usize;
            let keys = &map[begin..begin + header.keys_bytes() as usize];
            let keys = keys.chunks_exact(KEY).map(|key| {
                let bytes: [u8; KEY] = key.try_into().expect("a chunk of this length");
                u128::from_le_bytes(bytes)
            });
            let listed = Listed::from_keys(prepared.abstract_game.game(), keys.collect());
            let listed =
                listed.ok_or(FileError::Inconsistent("its list of states isn't sorted"))?;
            ranking = Ranking::new(ranking.n_variables(), vec![Factor::Listed(listed)]);
        }
        if ranking.size() != u128::from(header.entries) || ranking.describe() != details.ranking {
            return Err(FileError::Inconsistent(
                "its entries aren't numbered as this version of the program numbers them",
            ));
        }
        let table = Table::from_file(map, header.table_begin(), header.width, header.entries)
            .ok_or(FileError::Inconsistent("its table is too short"))?;
        Ok(Self {
            game: header.game,
            recipe,
            assumed,
            invariants: Arc::new(prepared.invariants.clone()),
            reader: prepared.reader.clone(),
            ranking: Arc::new(ranking),
            table: Arc::new(table),
            transform: Transform::default(),
            unit: header.unit,
            is_saturated,
            is_consistent,
        })
    }
}

/// Prepare to read the entries of a file's table; `ranking` is the file's description of its
/// ranking.
fn prepare(
    game: &Game,
    recipe: &Recipe,
    assumed: &[String],
    ranking: &str,
    options: &Options<'_>,
) -> Result<Prepared, FileError> {
    let mut invariants = Invariants::from_goals(game);
    if invariants.to_lines(game) != assumed {
        invariants = Invariants::from_lines(game, assumed)
            .map_err(|_| FileError::Inconsistent("its assumptions can't be read"))?;
    }
    let options = Options {
        budget: options.budget.clone(),
        invariants: Some(invariants),
        ..Options::default()
    };
    let mut prepared = Prepared::new(game, recipe, &options)?;
    // Files of earlier versions have an entry for each state, also where symmetries are ranked now.
    if ranking != prepared.plan.ranking.describe() {
        prepared.up_to_symmetries(&options);
    }
    Ok(prepared)
}
