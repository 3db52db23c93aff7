//! Files of tables: what they tell, and what is checked. `docs/file-format.md` describes the format.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::Arc;

use abstraction::Abstraction;
use invariants::Invariants;
use memmap2::{Mmap, MmapOptions};
use psvn_ir::{ContentHash, Game};

use crate::database::{PatternDatabase, Prepared, Recipe, Seen};
use crate::progress::{BuildError, Options};
use crate::ranking::listed::Listed;
use crate::ranking::{Factor, Ranking};
use crate::table::{Table, Width};

/// The version that is written, and the only one that is read.
pub const FORMAT_VERSION: u32 = 1;

const MAGIC: [u8; 8] = *b"PSVNPDB\0";
const HEADER: usize = 128;
const ALIGNMENT: usize = 64;
const SATURATED: u32 = 1;
const CHARGED: u32 = 2;
/// The states are listed behind the table.
const LISTED: u32 = 4;
/// The bytes of a listed state.
const KEY: usize = 16;
/// The most bytes of the texts, so that a damaged header can't ask for more.
const MOST_DETAILS: u64 = 1 << 28;

/// Why a file can't be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// It can't be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is something else.
    #[error("this is no pattern database")]
    Magic,
    /// It was written by another version of the program.
    #[error("its format has version {0}, and only version {FORMAT_VERSION} can be read")]
    Version(u32),
    /// It is shorter or longer than it says.
    #[error(
        "it has {found} bytes, and by its header it should have {expected}: it was cut off or damaged"
    )]
    Length {
        /// What it has.
        found: u64,
        /// What it should have.
        expected: u64,
    },
    /// It was damaged.
    #[error("its {0} is damaged (the checksum doesn't fit)")]
    Checksum(&'static str),
    /// What it says makes no sense.
    #[error("it is damaged: {0}")]
    Inconsistent(&'static str),
    /// It was built for another game.
    #[error(
        "it belongs to another game: its content hash is {found}, and this game's is {expected}; rules, costs, labels or domains differ"
    )]
    OtherGame {
        /// The file's.
        found: ContentHash,
        /// The game's.
        expected: ContentHash,
    },
    /// It was built for other goals.
    #[error("it was built for other goals than this game has: build it again")]
    OtherGoals,
    /// Its abstraction can't be made again.
    #[error(transparent)]
    Build(#[from] BuildError),
}

/// What stands before the table, apart from the header.
struct Details {
    abstraction: String,
    paying: String,
    goals: String,
    assumed: String,
    ranking: String,
}

impl Details {
    fn texts(&self) -> [&str; 5] {
        [
            &self.abstraction,
            &self.paying,
            &self.goals,
            &self.assumed,
            &self.ranking,
        ]
    }

    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for text in self.texts() {
            bytes.extend((text.len() as u32).to_le_bytes());
            bytes.extend(text.as_bytes());
        }
        bytes
    }

    fn from_bytes(mut bytes: &[u8]) -> Option<Self> {
        let mut text = || {
            let (length, rest) = bytes.split_first_chunk::<4>()?;
            let length = u32::from_le_bytes(*length) as usize;
            let (text, rest) = rest.split_at_checked(length)?;
            bytes = rest;
            String::from_utf8(text.to_vec()).ok()
        };
        let details = Self {
            abstraction: text()?,
            paying: text()?,
            goals: text()?,
            assumed: text()?,
            ranking: text()?,
        };
        bytes.is_empty().then_some(details)
    }
}

/// The goal conditions as text: the content hash doesn't cover them, and the table depends on them.
fn goals_text(game: &Game) -> String {
    let goals = game.goals().iter();
    let lines: Vec<String> = goals
        .map(|goal| game.format_terms(goal.conditions()))
        .collect();
    lines.join("\n")
}

/// Who pays, one line for each domain, one digit for each value.
fn paying_text(paying: &[Vec<bool>]) -> String {
    let line = |pays: &Vec<bool>| -> String {
        pays.iter()
            .map(|pays| if *pays { '1' } else { '0' })
            .collect()
    };
    paying.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn parse_paying(game: &Game, text: &str) -> Option<Vec<Vec<bool>>> {
    let line = |line: &str| -> Option<Vec<bool>> {
        let digit = |byte: u8| match byte {
            b'0' => Some(false),
            b'1' => Some(true),
            _ => None,
        };
        line.bytes().map(digit).collect()
    };
    let paying: Vec<Vec<bool>> = text.split('\n').map(line).collect::<Option<_>>()?;
    let sizes = game.domains().iter().map(psvn_ir::Domain::size);
    paying.iter().map(Vec::len).eq(sizes).then_some(paying)
}

fn padded(length: usize) -> usize {
    length.next_multiple_of(ALIGNMENT)
}

impl PatternDatabase {
    /// Writes the table to a file: to a temporary one beside it first, which then takes its place. Of a table that is looked up for
    /// images or duals of states, the table itself.
    ///
    /// # Errors
    /// When it can't be written.
    ///
    /// # Panics
    /// When the game is another one.
    pub fn save(&self, game: &Game, path: &Path) -> Result<(), FileError> {
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let mut builder = tempfile::Builder::new();
        builder.prefix(".psvn-");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(std::fs::Permissions::from_mode(0o666));
        }
        let mut file = builder.tempfile_in(folder)?;
        let mut writer = BufWriter::new(&mut file);
        self.write(game, &mut writer)?;
        writer.flush()?;
        drop(writer);
        file.as_file().sync_all()?;
        file.persist(path).map_err(|error| error.error)?;
        Ok(())
    }

    /// Writes the bytes of a file.
    ///
    /// # Errors
    /// When the writer fails.
    pub fn write(&self, game: &Game, out: &mut impl Write) -> io::Result<()> {
        let details = Details {
            abstraction: self.recipe.abstraction.to_file(game),
            paying: self
                .recipe
                .paying
                .as_deref()
                .map(paying_text)
                .unwrap_or_default(),
            goals: goals_text(game),
            assumed: self.assumed.join("\n"),
            ranking: self.ranking.describe(),
        }
        .to_bytes();
        let table = &self.table.bytes()[..self.table.width().bytes(self.table.n()) as usize];
        let mut flags = 0;
        flags |= if self.is_saturated { SATURATED } else { 0 };
        flags |= if self.recipe.paying.is_some() {
            CHARGED
        } else {
            0
        };
        let keys: Vec<u8> = match self.ranking.as_listed() {
            None => Vec::new(),
            Some(listed) => {
                flags |= LISTED;
                listed
                    .keys()
                    .iter()
                    .flat_map(|key| key.to_le_bytes())
                    .collect()
            }
        };
        let mut checksum = crc32fast::Hasher::new();
        checksum.update(table);
        checksum.update(&keys);
        let mut header = Vec::with_capacity(HEADER);
        header.extend(MAGIC);
        header.extend(FORMAT_VERSION.to_le_bytes());
        header.extend(self.table.width().bits().to_le_bytes());
        header.extend(self.game.0);
        header.extend(self.table.n().to_le_bytes());
        header.extend(self.unit.to_le_bytes());
        header.extend((details.len() as u64).to_le_bytes());
        header.extend(flags.to_le_bytes());
        header.extend(crc32fast::hash(&details).to_le_bytes());
        header.extend(checksum.finalize().to_le_bytes());
        header.resize(HEADER - 4, 0);
        header.extend(crc32fast::hash(&header).to_le_bytes());
        out.write_all(&header)?;
        out.write_all(&details)?;
        let gap = padded(HEADER + details.len()) - HEADER - details.len();
        out.write_all(&vec![0; gap])?;
        out.write_all(table)?;
        out.write_all(&keys)
    }

    /// Opens a file: the table is mapped into memory, and read from the disk where it is looked at.
    ///
    /// Header and texts are checked completely, and that the table is as large as the abstraction of this game
    /// demands; what is in the table is checked by [`verify_checksum`](Self::verify_checksum) only. Damage there leads to wrong estimates, and
    /// to nothing worse.
    ///
    /// **The file must not be changed in place as long as it is in use**: replace it as a whole.
    ///
    /// # Errors
    /// When the file can't be read, is damaged, or was built for another game, other goals or by another version.
    pub fn open(path: &Path, game: &Game) -> Result<Self, FileError> {
        let file = File::open(path)?;
        if file.metadata()?.len() < HEADER as u64 {
            return Err(FileError::Magic);
        }
        // SAFETY: the mapping is private and read-only. That nobody changes the file under it is demanded of
        // the caller, as of everybody who maps a file; all reads are checked against the mapping's length.
        let map = unsafe { MmapOptions::new().map_copy_read_only(&file)? };
        let header = Header::read(&map)?;
        let begin = HEADER + header.details as usize;
        let details = &map[HEADER..begin];
        if crc32fast::hash(details) != header.details_checksum {
            return Err(FileError::Checksum("description"));
        }
        let details = Details::from_bytes(details)
            .ok_or(FileError::Inconsistent("its texts don't end well"))?;
        Self::from_parts(game, &header, &details, map, padded(begin))
    }

    fn from_parts(
        game: &Game,
        header: &Header,
        details: &Details,
        map: Mmap,
        at: usize,
    ) -> Result<Self, FileError> {
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
        let abstraction = Abstraction::from_file(game, &details.abstraction)
            .map_err(|_| FileError::Inconsistent("its abstraction can't be read"))?;
        let paying = match header.flags & CHARGED {
            0 => None,
            _ => Some(
                parse_paying(game, &details.paying)
                    .ok_or(FileError::Inconsistent("who pays for steps can't be read"))?,
            ),
        };
        let recipe = Recipe {
            abstraction,
            paying,
        };
        let assumed: Vec<String> = details.assumed.lines().map(str::to_owned).collect();
        let mut invariants = Invariants::from_goals(game);
        if invariants.to_lines(game) != assumed {
            invariants = Invariants::from_lines(game, &assumed)
                .map_err(|_| FileError::Inconsistent("its assumptions can't be read"))?;
        }
        let options = Options {
            invariants: Some(invariants),
            ..Options::default()
        };
        let prepared = Prepared::new(game, &recipe, &options)?;
        let is_saturated = header.flags & SATURATED != 0;
        let ranking = prepared.plan.shared.clone();
        let is_consistent = ranking.is_none() && !is_saturated;
        let mut ranking = ranking.unwrap_or_else(|| prepared.plan.ranking.clone());
        if header.flags & LISTED != 0 {
            let keys = &map[at + header.width.bytes(header.entries) as usize..];
            let keys = keys.chunks_exact(KEY).map(|key| {
                let bytes: [u8; KEY] = key.try_into().unwrap_or_default();
                u128::from_le_bytes(bytes)
            });
            let listed = Listed::from_keys(prepared.small.game(), keys.collect());
            let listed =
                listed.ok_or(FileError::Inconsistent("its list of states isn't sorted"))?;
            ranking = Ranking::new(ranking.n_variables(), vec![Factor::Listed(listed)]);
        }
        if ranking.size() != u128::from(header.entries) || ranking.describe() != details.ranking {
            return Err(FileError::Inconsistent(
                "its entries aren't numbered as this version of the program numbers them",
            ));
        }
        let table = Table::from_file(map, at, header.width, header.entries)
            .ok_or(FileError::Inconsistent("its table is too short"))?;
        Ok(Self {
            game: expected,
            recipe,
            assumed,
            invariants: Arc::new(prepared.invariants),
            view: prepared.view,
            ranking: Arc::new(ranking),
            table: Arc::new(table),
            seen: Seen::default(),
            unit: header.unit,
            is_saturated,
            is_consistent,
        })
    }

    /// Reads all of a file, and compares the table with its checksum.
    ///
    /// # Errors
    /// When it can't be read, or is damaged.
    pub fn verify_checksum(path: &Path) -> Result<(), FileError> {
        let bytes = std::fs::read(path)?;
        let header = Header::read(&bytes)?;
        let begin = HEADER + header.details as usize;
        if crc32fast::hash(&bytes[HEADER..begin]) != header.details_checksum {
            return Err(FileError::Checksum("description"));
        }
        match crc32fast::hash(&bytes[padded(begin)..]) == header.table_checksum {
            true => Ok(()),
            false => Err(FileError::Checksum("table")),
        }
    }
}

/// The header, checked.
struct Header {
    width: Width,
    game: ContentHash,
    entries: u64,
    unit: u64,
    details: u64,
    flags: u32,
    details_checksum: u32,
    table_checksum: u32,
}

impl Header {
    /// The bytes of the list of states, if there is one.
    fn keys_bytes(&self) -> u64 {
        match self.flags & LISTED {
            0 => 0,
            _ => self.entries * KEY as u64,
        }
    }

    /// Reads the header of a file given as a whole, and checks that the file has the length that it says.
    fn read(bytes: &[u8]) -> Result<Self, FileError> {
        let Some(header) = bytes.get(..HEADER).filter(|header| header[..8] == MAGIC) else {
            return Err(FileError::Magic);
        };
        let short =
            |at: usize| u32::from_le_bytes(header[at..at + 4].try_into().unwrap_or_default());
        let long =
            |at: usize| u64::from_le_bytes(header[at..at + 8].try_into().unwrap_or_default());
        if short(8) != FORMAT_VERSION {
            return Err(FileError::Version(short(8)));
        }
        if crc32fast::hash(&header[..HEADER - 4]) != short(HEADER - 4) {
            return Err(FileError::Checksum("header"));
        }
        let width = Width::from_bits(short(12));
        let found = Self {
            width: width.ok_or(FileError::Inconsistent("no entries have such a width"))?,
            game: ContentHash(header[16..48].try_into().unwrap_or([0; 32])),
            entries: long(48),
            unit: long(56),
            details: long(64),
            flags: short(72),
            details_checksum: short(76),
            table_checksum: short(80),
        };
        if found.details > MOST_DETAILS || found.unit == 0 || found.entries > 1 << 44 {
            return Err(FileError::Inconsistent("its header asks for too much"));
        }
        if found.unit.checked_mul(found.width.unreached()).is_none() {
            return Err(FileError::Inconsistent(
                "its distances don't fit in 64 bits",
            ));
        }
        let expected = padded(HEADER + found.details as usize) as u64
            + found.width.bytes(found.entries) as u64
            + found.keys_bytes();
        if bytes.len() as u64 != expected {
            return Err(FileError::Length {
                found: bytes.len() as u64,
                expected,
            });
        }
        Ok(found)
    }
}
