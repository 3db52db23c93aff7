//! Bytes of a file, in memory or mapped, and the 32-bit words in a part of them.

use std::fmt;
use std::fs::File;
use std::io;
use std::ops::{Deref, Range};
use std::sync::Arc;

use memmap2::Mmap;

/// The bytes of a file, shared by all objects made from it.
#[derive(Clone)]
pub(crate) enum Bytes {
    Owned(Arc<Vec<u8>>),
    Mapped(Arc<Mmap>),
}

impl Bytes {
    pub(crate) fn owned(bytes: Vec<u8>) -> Self {
        Bytes::Owned(Arc::new(bytes))
    }

    /// Map a file into memory.
    pub(crate) fn map(file: &File) -> io::Result<Self> {
        // Some systems can't map zero bytes, which aren't a machine file anyway.
        if file.metadata()?.len() == 0 {
            return Ok(Bytes::owned(Vec::new()));
        }
        map_read_only(file).map(|map| Bytes::Mapped(Arc::new(map)))
    }
}

#[allow(unsafe_code, reason = "a file can be mapped in no other way")]
fn map_read_only(file: &File) -> io::Result<Mmap> {
    // SAFETY: The map is private and read-only: nothing in this process writes to it. Another
    // process may still change the file in place. Machine files are replaced as a whole (a new file
    // takes the old one's name, and the map keeps the old one), and the docs of `OpenFile::map`,
    // the only caller, demand that of everyone. If it happens anyway, changed bytes are just read
    // as other numbers: each is read separately, none is kept as a reference to a type with invalid
    // values, and each is checked against the length of the map on use, never trusted because of an
    // earlier check. If the file is cut off, the system ends the process on the next access behind
    // its end (SIGBUS on Unix); nothing else is read instead.
    unsafe { memmap2::MmapOptions::new().map_copy_read_only(file) }
}

impl fmt::Debug for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.len())
    }
}

impl Deref for Bytes {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        match self {
            Bytes::Owned(bytes) => bytes,
            Bytes::Mapped(map) => map,
        }
    }
}

/// A 32-bit word in memory or in a file. Code over words is written once and runs on either,
/// without a branch at each word.
pub(crate) trait Word: Copy {
    /// Return the number that the word holds.
    fn value(self) -> u32;
}

impl Word for u32 {
    #[inline]
    fn value(self) -> u32 {
        self
    }
}

impl Word for [u8; 4] {
    #[inline]
    fn value(self) -> u32 {
        u32::from_le_bytes(self)
    }
}

/// Words of 32 bits, little-endian in a file or native in memory.
#[derive(Clone)]
pub(crate) enum Words {
    Owned(Arc<[u32]>),
    File { bytes: Bytes, range: Range<usize> },
}

impl Words {
    /// Return the words in a range of bytes; `None` if the range doesn't exist.
    pub(crate) fn in_file(bytes: &Bytes, range: Range<usize>) -> Option<Self> {
        bytes.get(range.clone())?;
        Some(Words::File {
            bytes: bytes.clone(),
            range,
        })
    }

    /// Return the number of words.
    pub(crate) fn len(&self) -> usize {
        match self {
            Words::Owned(words) => words.len(),
            Words::File { range, .. } => range.len() / 4,
        }
    }

    /// Return a word, or `None` after the end.
    #[inline]
    pub(crate) fn get(&self, index: usize) -> Option<u32> {
        match self {
            Words::Owned(words) => words.get(index).copied(),
            Words::File { bytes, range } => file_words(bytes, range).get(index).map(|w| w.value()),
        }
    }

    /// Return all words in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.len()).map_while(|index| self.get(index))
    }

    /// Make a copy in memory that belongs to no file.
    pub(crate) fn to_owned_words(&self) -> Self {
        match self {
            Words::Owned(words) => Words::Owned(Arc::clone(words)),
            Words::File { .. } => Words::Owned(self.iter().collect()),
        }
    }

    /// Write the words in file format.
    pub(crate) fn write_to(&self, out: &mut Vec<u8>) {
        match self {
            Words::Owned(words) => out.extend(words.iter().flat_map(|word| word.to_le_bytes())),
            Words::File { bytes, range } => out.extend_from_slice(&bytes[range.clone()]),
        }
    }
}

/// Return the words of a part of a file.
#[inline]
pub(crate) fn file_words<'a>(bytes: &'a Bytes, range: &Range<usize>) -> &'a [[u8; 4]] {
    bytes.get(range.clone()).unwrap_or_default().as_chunks().0
}

impl PartialEq for Words {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

impl Eq for Words {}

impl fmt::Debug for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} words", self.len())
    }
}
