//! Files of tables of coordinates, also in stores. `docs/file-format.md` describes the format.

use std::error::Error;
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use container::{Damage, HeaderWriter, Reader};
use memmap2::Mmap;
use psvn_ir::{ContentHash, Game};
use rayon::prelude::*;

use super::classes::Classes;
use super::layout::ALIGNED;
use super::lookup::Lookup;
use super::pattern::CoordinatePattern;
use super::{CoordinateTable, Prepared};
use crate::file::details::goals_text;
use crate::file::{FileError, map_file};
use crate::progress::{BuildError, Options};
use crate::table::large_pages::zeros;
use crate::table::mapped::forget;

const MAGIC: [u8; 8] = *b"PSVNPDC\0";
const VERSION: u32 = 1;
const HEADER: usize = 128;
/// The words of a block with its own checksum.
const BLOCK: usize = 1 << 17;
/// The maximum bytes of the texts, and the maximum number of words, so that a damaged header can't
/// demand more.
const MOST_DETAILS: u64 = 1 << 24;
const MOST_WORDS: u64 = 1 << 36;

/// The fields of a header.
struct Header {
    game: ContentHash,
    words: u64,
    /// The bytes of the texts.
    details: u64,
    details_checksum: u32,
    /// The checksum of the list of the blocks' checksums.
    contents_checksum: u32,
}

impl Header {
    fn to_bytes(&self) -> Vec<u8> {
        let mut header = HeaderWriter::new(&MAGIC);
        header
            .u32(VERSION)
            .u32(0)
            .bytes(&self.game.0)
            .u64(self.words)
            .u64(self.details)
            .u32(self.details_checksum)
            .u32(self.contents_checksum);
        header.seal(HEADER)
    }

    fn read(file: &[u8]) -> Result<Self, FileError> {
        if file.get(..MAGIC.len()) != Some(&MAGIC) {
            return Err(FileError::Magic);
        }
        let damaged = |_: Damage| FileError::Checksum("header");
        let version = Reader::new(&file[MAGIC.len()..]).u32().map_err(damaged)?;
        if version != VERSION {
            return Err(FileError::Version(version));
        }
        let mut reader = Reader::new(container::checked(file, HEADER).map_err(damaged)?);
        let mut fields = || -> Result<(u32, Self), Damage> {
            reader.take(MAGIC.len() + size_of_val(&version))?;
            let reserved = reader.u32()?;
            let header = Self {
                game: ContentHash(reader.array()?),
                words: reader.u64()?,
                details: reader.u64()?,
                details_checksum: reader.u32()?,
                contents_checksum: reader.u32()?,
            };
            Ok((reserved, header))
        };
        let (reserved, header) = fields().map_err(damaged)?;
        if reserved != 0 || !reader.is_zero_to_the_end() {
            return Err(FileError::Inconsistent("its header uses what is reserved"));
        }
        if header.details > MOST_DETAILS || header.words > MOST_WORDS {
            return Err(FileError::Inconsistent("its header asks for too much"));
        }
        let expected = header.words_begin() as u64 + 8 * header.words + 4 * header.n_blocks();
        match file.len() as u64 == expected {
            true => Ok(header),
            false => Err(FileError::Length {
                found: file.len() as u64,
                expected,
            }),
        }
    }

    fn n_blocks(&self) -> u64 {
        self.words.div_ceil(BLOCK as u64)
    }

    fn details_end(&self) -> usize {
        HEADER + self.details as usize
    }

    fn words_begin(&self) -> usize {
        self.details_end().next_multiple_of(64)
    }
}

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

fn bytes_of(words: &[u64]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

impl CoordinateTable {
    /// Write the table as a file.
    ///
    /// # Errors
    /// If the writer fails.
    pub fn write(&self, game: &Game, out: &mut impl Write) -> io::Result<()> {
        let details = details(game, &self.pattern, &self.levels);
        let words = self.lookup.words();
        let checksums = words
            .par_chunks(BLOCK)
            .map(|block| crc32fast::hash(&bytes_of(block)));
        let checksums: Vec<u32> = checksums.collect();
        let checksums: Vec<u8> = checksums.iter().flat_map(|it| it.to_le_bytes()).collect();
        let header = Header {
            game: self.game,
            words: words.len() as u64,
            details: details.len() as u64,
            details_checksum: crc32fast::hash(details.as_bytes()),
            contents_checksum: crc32fast::hash(&checksums),
        };
        out.write_all(&header.to_bytes())?;
        out.write_all(details.as_bytes())?;
        out.write_all(&vec![0; header.words_begin() - header.details_end()])?;
        for block in words.chunks(BLOCK) {
            out.write_all(&bytes_of(block))?;
        }
        out.write_all(&checksums)
    }

    /// Return whether a file begins like the file of such a table.
    pub fn is_file(path: &Path) -> bool {
        let mut begin = [0; MAGIC.len()];
        let read = std::fs::File::open(path)
            .and_then(|mut file| io::Read::read_exact(&mut file, &mut begin));
        read.is_ok() && begin == MAGIC
    }

    /// Read a file into memory, and compare it with its checksums.
    ///
    /// # Errors
    /// If the file can't be read, is damaged, was built for another game or other goals, or a limit
    /// is reached.
    pub fn open(path: &Path, game: &Game, options: &Options<'_>) -> Result<Self, FileError> {
        let map = map_file(path, HEADER)?;
        let header = Header::read(&map)?;
        let details = &map[HEADER..header.details_end()];
        if crc32fast::hash(details) != header.details_checksum {
            return Err(FileError::Checksum("description"));
        }
        let expected = game.content_hash();
        if header.game != expected {
            return Err(FileError::OtherGame {
                found: header.game,
                expected,
            });
        }
        let details = std::str::from_utf8(details).ok();
        let parts = details.and_then(|details| {
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
        options
            .check_memory(u128::from(header.words) * 8 + layout.bytes(moves.permutations.len()))?;
        let classes = Classes::new(&moves, &layout, options)?;
        let n_words = classes.first.len() as u64 * layout.per_class / ALIGNED;
        if n_words != header.words {
            return Err(FileError::Inconsistent(
                "its entries aren't numbered as this version of the program numbers them",
            ));
        }
        let words = read_words(&map, &header, options)?;
        Ok(Self {
            game: header.game,
            pattern,
            lookup: Lookup::new(&moves, &layout, &classes, words),
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
        let found = options
            .store
            .and_then(|store| Some((store, store.find(&name(game, pattern))?)));
        let Some((store, path)) = found else {
            return Ok(None);
        };
        let table = match Self::open(&path, game, options) {
            Ok(table) if table.pattern == *pattern => Ok(table),
            Ok(_) => Err(FileError::Inconsistent("it is another table")),
            Err(FileError::Build(error @ BuildError::Stopped(_))) => return Err(error),
            Err(error) => Err(error),
        };
        let opened = table.as_ref().map(|_| ());
        store.opened(&path, opened.map_err(|error| error as &dyn Error));
        Ok(table.ok())
    }

    /// Return whether the store of the options has the table of a pattern.
    pub fn is_kept(game: &Game, pattern: &CoordinatePattern, options: &Options<'_>) -> bool {
        options
            .store
            .is_some_and(|store| store.has(&name(game, pattern)))
    }

    /// Keep the table in the store, if there is one.
    pub(super) fn keep(&self, game: &Game, took: Duration, options: &Options<'_>) {
        if let Some(store) = options.store
            && !options.should_stop()
        {
            let write = |mut out: &mut dyn Write| self.write(game, &mut out);
            store.keep(
                &name(game, &self.pattern),
                took,
                8 * self.lookup.words().len() as u64,
                &write,
            );
        }
    }
}

/// Copy the words of a file to memory, and compare them with their checksums. The process holds
/// little of the file twice.
fn read_words(file: &Mmap, header: &Header, options: &Options<'_>) -> Result<Vec<u64>, FileError> {
    let (contents, checksums) = file[header.words_begin()..].split_at(8 * header.words as usize);
    if crc32fast::hash(checksums) != header.contents_checksum {
        return Err(FileError::Checksum("list of checksums"));
    }
    if file[header.details_end()..header.words_begin()]
        .iter()
        .any(|byte| *byte != 0)
    {
        return Err(FileError::Inconsistent(
            "there is data between its texts and its table",
        ));
    }
    let mut words = zeros::<u64>(header.words)?;
    let blocks = words
        .par_chunks_mut(BLOCK)
        .zip(contents.par_chunks(8 * BLOCK));
    blocks
        .zip(checksums.par_chunks(4))
        .enumerate()
        .try_for_each(|(number, ((words, block), checksum))| {
            options.poll()?;
            if crc32fast::hash(block).to_le_bytes() != *checksum {
                return Err(FileError::Checksum("table"));
            }
            for (word, bytes) in words.iter_mut().zip(block.chunks_exact(8)) {
                *word = u64::from_le_bytes(bytes.try_into().expect("a chunk of this length"));
            }
            let begin = header.words_begin() + number * 8 * BLOCK;
            forget(file, begin..begin + block.len());
            Ok(())
        })?;
    Ok(words)
}
