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
    file: Option<File>,
    waiting: Vec<u8>,
    crc: crc32fast::Hasher,
    states: u64,
}

impl Writer {
    /// Return a writer of a file, which is made, or emptied, with the first states.
    pub fn new(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            file: None,
            waiting: Vec::new(),
            crc: crc32fast::Hasher::new(),
            states: 0,
        }
    }

    /// Add a state, which comes after the one before.
    ///
    /// # Errors
    /// If the file can't be written.
    pub fn push<const W: usize>(&mut self, state: &[u64; W]) -> Result<(), ExploreError> {
        for word in state {
            self.waiting.extend_from_slice(&word.to_le_bytes());
        }
        self.states += 1;
        if self.waiting.len() >= BYTES_AT_ONCE {
            self.write()?;
        }
        Ok(())
    }

    fn write(&mut self) -> Result<(), ExploreError> {
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
        self.write()?;
        Ok(Content {
            states: self.states,
            crc32: self.crc.finalize(),
        })
    }
}

/// Reads states in the order of the file. At the end of the file, the content read is compared with
/// what was written.
#[derive(Debug)]
pub struct Reader<const W: usize> {
    path: PathBuf,
    /// `None` where there is nothing to read.
    file: Option<File>,
    expected: Content,
    crc: crc32fast::Hasher,
    read: u64,
    bytes: Vec<u8>,
    waiting: std::vec::IntoIter<[u64; W]>,
}

impl<const W: usize> Reader<W> {
    /// Open a file with this content.
    ///
    /// # Errors
    /// If the system can't open it.
    pub fn open(path: &Path, expected: Content) -> Result<Self, ExploreError> {
        Ok(Self {
            path: path.to_owned(),
            file: match expected.states {
                0 => None,
                _ => Some(File::open(path).map_err(file_error(path))?),
            },
            expected,
            crc: crc32fast::Hasher::new(),
            read: 0,
            bytes: Vec::new(),
            waiting: Vec::new().into_iter(),
        })
    }

    fn damaged(&self, problem: &str) -> ExploreError {
        ExploreError::Damaged {
            path: self.path.clone(),
            problem: problem.to_owned(),
        }
    }

    fn fill(&mut self) -> Result<(), ExploreError> {
        let left = self.expected.states - self.read;
        let n = left.min(AT_ONCE as u64);
        self.bytes.resize(n as usize * 8 * W, 0);
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
        let states: Vec<[u64; W]> = self
            .bytes
            .chunks_exact(8 * W)
            .map(|bytes| {
                let mut words = bytes.chunks_exact(8);
                std::array::from_fn(|_| {
                    let word = words.next().expect("a state has W words");
                    u64::from_le_bytes(word.try_into().expect("a word has eight bytes"))
                })
            })
            .collect();
        self.waiting = states.into_iter();
        Ok(())
    }

    /// Return the next states, at most a few thousand; none at the end.
    ///
    /// # Errors
    /// If the file can't be read, or differs from what was written.
    pub fn chunk(&mut self) -> Result<Vec<[u64; W]>, ExploreError> {
        if self.waiting.len() == 0 && self.read < self.expected.states {
            self.fill()?;
        }
        Ok(std::mem::replace(&mut self.waiting, Vec::new().into_iter()).collect())
    }

    /// Return the next state; `None` at the end.
    ///
    /// # Errors
    /// If the file can't be read, or differs from what was written.
    #[allow(clippy::should_implement_trait, reason = "it can fail")]
    pub fn next(&mut self) -> Result<Option<[u64; W]>, ExploreError> {
        if self.waiting.len() == 0 && self.read < self.expected.states {
            self.fill()?;
        }
        Ok(self.waiting.next())
    }
}
