//! Machine files.
//!
//! `docs/file-format.md` describes the format. In short: a header of 192 bytes with the places of
//! four sections, each at a multiple of 64 bytes: details (texts, the order of rules), the machine,
//! swaps, words. The machine's section holds the words of memory that a machine runs on, so it can
//! be used where it is.
//!
//! [`MachineFile`] is what is written, and all of a file in memory. [`OpenFile`] leaves it in its
//! place.

mod cursor;
mod header;
mod open;
mod version_1;

use crate::file::cursor::{Cursor, length, put_list, put_varint};
use crate::file::header::{ALIGNMENT, Form, HEADER_LEN, Header, N_SECTIONS};
use crate::machine::any::AnyMachine;
use crate::machine::dense::TableError;

pub use crate::file::open::{CertifiedWords, OpenError, OpenFile};

/// The version of the format that this code writes. It reads versions 1 and 2, too.
pub const FORMAT_VERSION: u32 = 3;

/// The version in which words and swaps never rest on assumptions.
const VERSION_2: u32 = 2;

const MAGIC: &[u8; 8] = b"PSVNFSM\0";

/// A forbidden word with its certificate: what replaces it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CertifiedWord {
    /// The word.
    pub word: Box<[u32]>,
    /// Earlier words. Where letters are rules, there is one, and it replaces the word. Where they
    /// are [operators](MachineFile::operator_of), each instance of the word (a sequence of rules of
    /// these operators) is replaced by an instance of one of them.
    pub replacements: Vec<Box<[u32]>>,
}

impl CertifiedWord {
    /// A word that one other word replaces.
    pub fn new(word: impl Into<Box<[u32]>>, replacement: impl Into<Box<[u32]>>) -> Self {
        Self {
            word: word.into(),
            replacements: vec![replacement.into()],
        }
    }
}

/// How a machine was made from words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MachineKind {
    /// With a state for each word that is remembered (Burch & Holte 2011).
    Table,
    /// With a state for each proper prefix of a forbidden word (Taylor 1992).
    AhoCorasick,
    /// With the fewest states.
    Minimized,
    /// With fewer states still, because it may do anything with words in which one letter can't
    /// follow the one before. See [`minimize_with_dont_cares`](crate::minimize_with_dont_cares).
    MinimizedWithDontCares,
}

/// A machine with everything that is needed to use it safely and to prove it right.
///
/// Write `MachineFile { words, ..MachineFile::new(hash, machine) }` to give only what differs from
/// [`new`](Self::new).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MachineFile {
    /// The content hash of the game that the machine belongs to.
    pub game_hash: [u8; 32],
    /// The length of the longest words that were compared.
    pub max_length: u32,
    /// The order of words within which replacements come first.
    pub order: String,
    /// The letters in the order by which words are compared, the first first; empty for their
    /// natural order.
    pub rule_order: Vec<u32>,
    /// What the analysis assumed of start states, one remark each.
    pub assumptions: Vec<String>,
    /// Whether words and swaps may be right only in states that have what is assumed. If not, a
    /// word of rules can be replaced in all states. Words of operators may rest on the assumptions
    /// in any case.
    pub rests_on_assumptions: bool,
    /// Where letters are operators, the letter of each rule: what a search over rules gives to the
    /// machine, as by [`Relabeled`](crate::Relabeled). Empty where letters are rules.
    pub operator_of: Vec<u32>,
    /// How the machine was made, if known.
    pub kind: Option<MachineKind>,
    /// The swaps of the sleep sets that the machine was multiplied with, as for
    /// [`sleep_machine`](crate::sleep_machine); empty when it wasn't.
    pub swaps: Vec<(u32, u32)>,
    /// The forbidden words.
    pub words: Vec<CertifiedWord>,
    /// The machine.
    pub machine: AnyMachine,
}

/// Why bytes are no machine file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// It doesn't begin like one.
    #[error("this is no machine file")]
    Magic,
    /// It is of another version.
    #[error(
        "this machine file has format version {found}, and this program reads versions up to {FORMAT_VERSION}"
    )]
    Version {
        /// The file's version.
        found: u32,
    },
    /// It is shorter than it says.
    #[error("the machine file is truncated")]
    Truncated,
    /// The checksum is wrong.
    #[error("the machine file is damaged: its checksum is wrong")]
    Checksum,
    /// Its parts contradict each other.
    #[error("the machine file is damaged: {0}")]
    Inconsistent(String),
}

impl From<TableError> for FileError {
    fn from(error: TableError) -> Self {
        FileError::Inconsistent(error.to_string())
    }
}

impl MachineFile {
    /// A machine for a game, by the order `length-lexicographic` in the natural order of letters,
    /// without words, assumptions, and anything else.
    pub fn new(game_hash: [u8; 32], machine: impl Into<AnyMachine>) -> Self {
        Self {
            game_hash,
            max_length: 0,
            order: "length-lexicographic".to_owned(),
            rule_order: Vec::new(),
            assumptions: Vec::new(),
            rests_on_assumptions: false,
            operator_of: Vec::new(),
            kind: None,
            swaps: Vec::new(),
            words: Vec::new(),
            machine: machine.into(),
        }
    }

    /// The file's bytes. Dense machines are written dense, compressed ones compressed.
    pub fn to_bytes(&self) -> Vec<u8> {
        let (form, n_base_rows) = match &self.machine {
            AnyMachine::Dense(_) | AnyMachine::StoredDense(_) => (Form::Dense, 0),
            AnyMachine::Compressed(machine) => (
                Form::Compressed(machine.layout()),
                length(machine.n_base_rows()),
            ),
        };
        let mut bytes = vec![0; HEADER_LEN];
        let mut sections = [const { 0..0 }; N_SECTIONS];
        let writers: [fn(&Self, &mut Vec<u8>); N_SECTIONS] = [
            Self::write_details,
            Self::write_machine,
            Self::write_swaps,
            Self::write_words,
        ];
        for (section, write) in sections.iter_mut().zip(writers) {
            bytes.resize(bytes.len().next_multiple_of(ALIGNMENT), 0);
            let start = bytes.len();
            write(self, &mut bytes);
            *section = start..bytes.len();
        }
        let checksums = sections.clone().map(|range| crc32fast::hash(&bytes[range]));
        let header = Header {
            game_hash: self.game_hash,
            n_letters: self.machine.n_letters(),
            max_length: self.max_length,
            n_states: length(self.machine.n_states()),
            kind: self.kind,
            form,
            n_base_rows,
            n_words: self.words.len() as u64,
            n_swaps: self.swaps.len() as u64,
            rests_on_assumptions: self.rests_on_assumptions,
            sections,
            checksums,
        };
        bytes[..HEADER_LEN].copy_from_slice(&header.to_bytes());
        bytes
    }

    /// Read all of a file, of any version up to this one.
    ///
    /// # Errors
    /// When the bytes are no machine file of these versions, or damaged. Nothing in them is
    /// trusted: numbers are checked before memory is set aside for what they announce.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FileError> {
        match version(bytes)? {
            version_1::VERSION => version_1::read(bytes),
            _ => OpenFile::from_bytes(bytes.to_vec())?.to_machine_file(),
        }
    }

    fn write_details(&self, bytes: &mut Vec<u8>) {
        let put_text = |bytes: &mut Vec<u8>, text: &str| {
            bytes.extend(length(text.len()).to_le_bytes());
            bytes.extend_from_slice(text.as_bytes());
        };
        put_text(bytes, &self.order);
        bytes.extend(length(self.assumptions.len()).to_le_bytes());
        for assumption in &self.assumptions {
            put_text(bytes, assumption);
        }
        put_list(bytes, &self.rule_order);
        put_list(bytes, &self.operator_of);
    }

    fn write_machine(&self, bytes: &mut Vec<u8>) {
        match &self.machine {
            AnyMachine::Dense(machine) => {
                bytes.extend(
                    machine
                        .entries()
                        .iter()
                        .flat_map(|entry| entry.to_le_bytes()),
                );
            }
            AnyMachine::StoredDense(machine) => machine.words().write_to(bytes),
            AnyMachine::Compressed(machine) => machine.words().write_to(bytes),
        }
    }

    fn write_swaps(&self, bytes: &mut Vec<u8>) {
        for (first, second) in &self.swaps {
            put_varint(bytes, *first);
            put_varint(bytes, *second);
        }
    }

    fn write_words(&self, bytes: &mut Vec<u8>) {
        for word in &self.words {
            put_list(bytes, &word.word);
            put_varint(bytes, length(word.replacements.len()));
            for replacement in &word.replacements {
                put_list(bytes, replacement);
            }
        }
    }
}

/// The version of a file, if this code reads it.
fn version(bytes: &[u8]) -> Result<u32, FileError> {
    let mut cursor = Cursor { bytes };
    if cursor.take(MAGIC.len()).ok() != Some(MAGIC.as_slice()) {
        return Err(FileError::Magic);
    }
    match cursor.number()? {
        found @ (version_1::VERSION | VERSION_2 | FORMAT_VERSION) => Ok(found),
        found => Err(FileError::Version { found }),
    }
}
