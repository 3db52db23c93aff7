//! Files of states in ascending order.

use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::report::ExploreError;

/// The number of bytes written at once.
const BYTES_AT_ONCE: usize = 1 << 16;

/// The number of states read or written at once.
const AT_ONCE: usize = 1 << 12;

/// The content of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Content {
    /// The number of states.
    pub states: u64,
    /// The checksum of all bytes.
    pub crc32: u32,
}

impl Content {
    /// Return the number of bytes of the states, each of `width` words.
    pub fn bytes(self, width: usize) -> u64 {
        self.states * 8 * width as u64
    }
}

/// Make an error from the system's error about a file.
pub fn file_error(path: &Path) -> impl FnOnce(std::io::Error) -> ExploreError + '_ {
    |source| ExploreError::File {
        path: path.to_owned(),
        source,
    }
}

/// Writes states, eight bytes a word, the lowest first. No file is made for no states.
#[derive(Debug)]
pub struct Writer {
    path: PathBuf,
    width: usize,
    file: Option<File>,
    waiting: Vec<u8>,
    crc: crc32fast::Hasher,
    states: u64,
}

impl Writer {
    /// Return a writer of a file, which is made, or emptied, with the first states.
    pub fn new(path: &Path, width: usize) -> Self {
        Self {
            path: path.to_owned(),
            width,
            file: None,
            waiting: Vec::new(),
            crc: crc32fast::Hasher::new(),
            states: 0,
        }
    }

    /// Add states, which come after those before.
    ///
    /// # Errors
    /// If the file can't be written.
    pub fn write(&mut self, states: &[u64]) -> Result<(), ExploreError> {
        for words in states.chunks(BYTES_AT_ONCE / 8) {
            let begin = self.waiting.len();
            self.waiting.resize(begin + 8 * words.len(), 0);
            let places = self.waiting[begin..].as_chunks_mut().0;
            for (place, word) in places.iter_mut().zip(words) {
                *place = word.to_le_bytes();
            }
            if self.waiting.len() >= BYTES_AT_ONCE {
                self.write_out()?;
            }
        }
        self.states += (states.len() / self.width) as u64;
        Ok(())
    }

    fn write_out(&mut self) -> Result<(), ExploreError> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        let mut file = match self.file.take() {
            Some(file) => file,
            None => File::create(&self.path).map_err(file_error(&self.path))?,
        };
        self.crc.update(&self.waiting);
        file.write_all(&self.waiting)
            .map_err(file_error(&self.path))?;
        self.file = Some(file);
        self.waiting.clear();
        Ok(())
    }

    /// Write the remaining bytes.
    ///
    /// # Errors
    /// If the file can't be written.
    pub fn finish(mut self) -> Result<Content, ExploreError> {
        self.write_out()?;
        Ok(Content {
            states: self.states,
            crc32: self.crc.finalize(),
        })
    }
}

/// Reads states in the order of the file. At the end of the file, the content read is compared with
/// what was written.
#[derive(Debug)]
pub struct Reader {
    path: PathBuf,
    width: usize,
    /// `None` where there is nothing to read.
    file: Option<File>,
    expected: Content,
    crc: crc32fast::Hasher,
    read: u64,
    bytes: Vec<u8>,
    /// The states read at once, and how many of their words were returned.
    words: Vec<u64>,
    returned: usize,
}

impl Reader {
    /// Open a file with this content.
    ///
    /// # Errors
    /// If the system can't open it.
    pub fn open(path: &Path, width: usize, expected: Content) -> Result<Self, ExploreError> {
        Ok(Self {
            path: path.to_owned(),
            file: match expected.states {
                0 => None,
                _ => Some(File::open(path).map_err(file_error(path))?),
            },
            expected,
            ..Self::of_states(Vec::new(), width)
        })
    }

    /// Return a reader of states in memory.
    pub fn of_states(words: Vec<u64>, width: usize) -> Self {
        Self {
            path: PathBuf::new(),
            width,
            file: None,
            expected: Content::default(),
            crc: crc32fast::Hasher::new(),
            read: 0,
            bytes: Vec::new(),
            words,
            returned: 0,
        }
    }

    fn damaged(&self, problem: &str) -> ExploreError {
        ExploreError::Damaged {
            path: self.path.clone(),
            problem: problem.to_owned(),
        }
    }

    /// Read further states after all were returned.
    fn fill(&mut self) -> Result<(), ExploreError> {
        self.words.clear();
        self.returned = 0;
        let left = self.expected.states - self.read;
        if left == 0 {
            return Ok(());
        }
        let n = left.min(AT_ONCE as u64);
        self.bytes.resize(n as usize * 8 * self.width, 0);
        if let Some(file) = &mut self.file
            && let Err(source) = file.read_exact(&mut self.bytes)
        {
            return Err(match source.kind() {
                std::io::ErrorKind::UnexpectedEof => {
                    self.damaged("it is shorter than when it was written")
                }
                _ => file_error(&self.path)(source),
            });
        }
        self.crc.update(&self.bytes);
        self.read += n;
        if self.read == self.expected.states && self.crc.clone().finalize() != self.expected.crc32 {
            return Err(self.damaged("its checksum is wrong"));
        }
        let words = self.bytes.as_chunks().0.iter();
        self.words.extend(words.map(|it| u64::from_le_bytes(*it)));
        Ok(())
    }

    /// Return the words of the next states, at most a few thousand states of a file; none at the
    /// end.
    ///
    /// # Errors
    /// If the file can't be read, or differs from what was written.
    pub fn chunk(&mut self) -> Result<&[u64], ExploreError> {
        if self.returned == self.words.len() {
            self.fill()?;
        }
        let begin = std::mem::replace(&mut self.returned, self.words.len());
        Ok(&self.words[begin..])
    }

    /// Return the words of the next states, at most `most` states.
    ///
    /// # Errors
    /// If the file can't be read, or differs from what was written.
    pub fn first(mut self, most: usize) -> Result<Vec<u64>, ExploreError> {
        let most = most.saturating_mul(self.width);
        let mut words = Vec::new();
        while words.len() < most {
            let chunk = self.chunk()?;
            if chunk.is_empty() {
                break;
            }
            words.extend_from_slice(&chunk[..chunk.len().min(most - words.len())]);
        }
        Ok(words)
    }

    /// Return the next state; `None` at the end.
    #[inline]
    pub(crate) fn next<const W: usize>(&mut self) -> Result<Option<[u64; W]>, ExploreError> {
        if self.returned == self.words.len() {
            self.fill()?;
        }
        let state = self.words[self.returned..].first_chunk().copied();
        if state.is_some() {
            self.returned += W;
        }
        Ok(state)
    }
}
