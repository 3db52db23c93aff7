//! Machine files.
//!
//! All numbers are little-endian and 32 bits wide unless said otherwise. A file holds, in this order:
//!
//! | what | size |
//! |---|---|
//! | magic `PSVNFSM` and a zero byte | 8 bytes |
//! | format version | 4 |
//! | content hash of the game | 32 bytes |
//! | number of letters, length of the analysis, number of states | 3 × 4 |
//! | number of words, number of remarks | 2 × 4 |
//! | order of words, then each remark: length in bytes, UTF-8 text | |
//! | each word: length, letters; then its replacement: length, letters | |
//! | the table: for each state and letter the next state from 1, or 0 where forbidden | |
//! | CRC-32 of everything before | 4 |

use crate::dense::{Dense, TableError};

/// The version of the format that this code writes.
pub const FORMAT_VERSION: u32 = 1;

const MAGIC: &[u8; 8] = b"PSVNFSM\0";

/// A forbidden word with its certificate: an earlier word that replaces it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CertifiedWord {
    /// The word.
    pub word: Box<[u32]>,
    /// What replaces it.
    pub replacement: Box<[u32]>,
}

/// A machine with everything that is needed to use it safely and to prove it right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MachineFile {
    /// The content hash of the game that the machine belongs to.
    pub game_hash: [u8; 32],
    /// The length of the longest words that were compared.
    pub max_length: u32,
    /// The order of words within which replacements come first.
    pub order: String,
    /// What the analysis assumed of start states, one remark each.
    pub assumptions: Vec<String>,
    /// The forbidden words.
    pub words: Vec<CertifiedWord>,
    /// The machine.
    pub machine: Dense,
}

/// Why bytes are no machine file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// It doesn't begin like one.
    #[error("this is no machine file")]
    Magic,
    /// It is of another version.
    #[error(
        "this machine file has format version {found}, and this program reads version {FORMAT_VERSION}"
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
    /// The file's bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let number = |bytes: &mut Vec<u8>, n: usize| {
            let n = u32::try_from(n).expect("machines are far smaller than 2^32");
            bytes.extend_from_slice(&n.to_le_bytes());
        };
        bytes.extend_from_slice(MAGIC);
        number(&mut bytes, FORMAT_VERSION as usize);
        bytes.extend_from_slice(&self.game_hash);
        number(&mut bytes, self.machine.n_letters() as usize);
        number(&mut bytes, self.max_length as usize);
        number(&mut bytes, self.machine.n_states());
        number(&mut bytes, self.words.len());
        number(&mut bytes, self.assumptions.len());
        for text in std::iter::once(&self.order).chain(&self.assumptions) {
            number(&mut bytes, text.len());
            bytes.extend_from_slice(text.as_bytes());
        }
        for word in self
            .words
            .iter()
            .flat_map(|word| [&word.word, &word.replacement])
        {
            number(&mut bytes, word.len());
            for letter in word {
                bytes.extend_from_slice(&letter.to_le_bytes());
            }
        }
        for state in 1..=self.machine.n_states() {
            for next in self.machine.successors(state) {
                number(&mut bytes, next);
            }
        }
        let checksum = crc32fast::hash(&bytes);
        bytes.extend_from_slice(&checksum.to_le_bytes());
        bytes
    }

    /// Reads a file.
    ///
    /// # Errors
    /// When the bytes are no machine file of this version, or damaged. Nothing in them is trusted:
    /// numbers are checked before memory is set aside for what they announce.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FileError> {
        let mut reader = Reader { bytes };
        if reader.take(MAGIC.len()).ok() != Some(MAGIC.as_slice()) {
            return Err(FileError::Magic);
        }
        let found = reader.number()?;
        if found != FORMAT_VERSION {
            return Err(FileError::Version { found });
        }
        let (body, checksum) = bytes.split_last_chunk::<4>().ok_or(FileError::Truncated)?;
        let mut game_hash = [0; 32];
        game_hash.copy_from_slice(reader.take(32)?);
        let n_letters = reader.number()?;
        let max_length = reader.number()?;
        let n_states = reader.number()? as usize;
        let n_words = reader.number()?;
        let n_assumptions = reader.number()?;
        // From here on lengths may be nonsense, so first make sure that the bytes are as written.
        if crc32fast::hash(body) != u32::from_le_bytes(*checksum) {
            return Err(FileError::Checksum);
        }
        let order = reader.text()?;
        let assumptions = (0..n_assumptions)
            .map(|_| reader.text())
            .collect::<Result<_, _>>()?;
        let mut words = Vec::new();
        for _ in 0..n_words {
            let (word, replacement) = (reader.letters(n_letters)?, reader.letters(n_letters)?);
            words.push(CertifiedWord { word, replacement });
        }
        let n_entries = n_states
            .checked_mul(n_letters as usize)
            .ok_or(FileError::Truncated)?;
        let table = reader.numbers(n_entries)?;
        let machine = Dense::from_table(n_letters, n_states, &table)?;
        if reader.bytes.len() != checksum.len() {
            return Err(FileError::Inconsistent(
                "something stands behind the table".to_owned(),
            ));
        }
        Ok(Self {
            game_hash,
            max_length,
            order,
            assumptions,
            words,
            machine,
        })
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    fn take(&mut self, n: usize) -> Result<&'a [u8], FileError> {
        let (taken, rest) = self.bytes.split_at_checked(n).ok_or(FileError::Truncated)?;
        self.bytes = rest;
        Ok(taken)
    }

    fn number(&mut self) -> Result<u32, FileError> {
        let (number, rest) = self.bytes.split_first_chunk().ok_or(FileError::Truncated)?;
        self.bytes = rest;
        Ok(u32::from_le_bytes(*number))
    }

    fn numbers(&mut self, n: usize) -> Result<Vec<u32>, FileError> {
        let bytes = self.take(n.checked_mul(4).ok_or(FileError::Truncated)?)?;
        let (numbers, _) = bytes.as_chunks();
        Ok(numbers
            .iter()
            .map(|number| u32::from_le_bytes(*number))
            .collect())
    }

    fn letters(&mut self, n_letters: u32) -> Result<Box<[u32]>, FileError> {
        let length = self.number()? as usize;
        let letters = self.numbers(length)?;
        match letters.iter().find(|letter| **letter >= n_letters) {
            Some(letter) => Err(FileError::Inconsistent(format!(
                "a word has letter {letter}, and there are {n_letters}"
            ))),
            None => Ok(letters.into()),
        }
    }

    fn text(&mut self) -> Result<String, FileError> {
        let length = self.number()? as usize;
        String::from_utf8(self.take(length)?.to_vec())
            .map_err(|_| FileError::Inconsistent("a text is not UTF-8".to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::automaton::WordAutomaton;

    fn example() -> MachineFile {
        let mut words = WordAutomaton::new(3);
        words.forbid(&[0, 0]).unwrap();
        words.forbid(&[2, 1, 0]).unwrap();
        MachineFile {
            game_hash: [7; 32],
            max_length: 3,
            order: "length-lexicographic".to_owned(),
            assumptions: vec!["one blank".to_owned()],
            words: vec![
                CertifiedWord {
                    word: [0, 0].into(),
                    replacement: [].into(),
                },
                CertifiedWord {
                    word: [2, 1, 0].into(),
                    replacement: [1].into(),
                },
            ],
            machine: words.build().unwrap(),
        }
    }

    #[test]
    fn what_is_written_can_be_read() {
        let file = example();
        assert_eq!(MachineFile::from_bytes(&file.to_bytes()), Ok(file));
    }

    #[test]
    fn every_damaged_byte_and_every_truncation_is_noticed() {
        let bytes = example().to_bytes();
        for length in 0..bytes.len() {
            assert!(
                MachineFile::from_bytes(&bytes[..length]).is_err(),
                "cut at {length}"
            );
        }
        for place in 0..bytes.len() {
            for bit in 0..8 {
                let mut damaged = bytes.clone();
                damaged[place] ^= 1 << bit;
                assert!(
                    MachineFile::from_bytes(&damaged).is_err(),
                    "bit {bit} of byte {place}"
                );
            }
        }
    }

    #[test]
    fn hostile_numbers_behind_a_good_checksum_are_refused() {
        let mut bytes = example().to_bytes();
        bytes.truncate(bytes.len() - 4);
        for place in (44..bytes.len() - 3).step_by(4) {
            let mut hostile = bytes.clone();
            hostile[place..place + 4].copy_from_slice(&u32::MAX.to_le_bytes());
            let checksum = crc32fast::hash(&hostile);
            hostile.extend_from_slice(&checksum.to_le_bytes());
            // Some numbers may be anything (the length of the analysis); none may break the reader.
            let _ = MachineFile::from_bytes(&hostile);
        }
    }
}
