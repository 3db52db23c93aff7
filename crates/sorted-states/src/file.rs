//! A file of states in ascending order: writing and reading it.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::block::{Code, HEADER, Header};
use crate::error::FileError;
use crate::files::Files;
use crate::merge::Ascending;

/// The content of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "checkpoints", derive(serde::Serialize, serde::Deserialize))]
pub struct Content {
    /// The number of states.
    pub states: u64,
    /// The number of bytes.
    pub bytes: u64,
    /// The checksum of all bytes.
    pub crc32: u32,
}

/// A file of ascending states. A temporary one is removed with the value.
#[derive(Debug)]
pub struct SortedFile {
    files: Files,
    path: PathBuf,
    pub(crate) content: Content,
    /// The blocks, if the file was written by this value: where each begins, and its first state.
    blocks: Vec<(u64, Vec<u64>)>,
    kind: Kind,
}

/// How long a file stays, and where.
#[derive(Debug)]
enum Kind {
    Kept,
    Temporary,
    /// Temporary, with these bytes in memory in place of the disk.
    InMemory(Vec<u8>),
}

/// Bytes of a file that are read.
#[derive(Debug)]
enum Source {
    Disk(File),
    /// The number of bytes that were read.
    Memory(usize),
}

impl SortedFile {
    fn new(files: &Files, path: PathBuf, kind: Kind) -> Self {
        Self {
            files: files.clone(),
            path,
            content: Content::default(),
            blocks: Vec::new(),
            kind,
        }
    }

    /// Make a file that stays.
    pub(crate) fn kept(files: &Files, path: PathBuf, content: Content) -> Self {
        let mut file = Self::new(files, path, Kind::Kept);
        file.content = content;
        file
    }

    /// Make a temporary file: in memory, as long as there is room, or on the disk.
    pub(crate) fn temporary(files: &Files, path: PathBuf, may_be_in_memory: bool) -> Self {
        let kind = if may_be_in_memory {
            Kind::InMemory(Vec::new())
        } else {
            Kind::Temporary
        };
        Self::new(files, path, kind)
    }

    /// Return whether the states are in memory.
    pub fn is_in_memory(&self) -> bool {
        matches!(self.kind, Kind::InMemory(_))
    }

    /// Return the path. There is no file if there are no states, or if they are in memory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Return the content.
    pub fn content(&self) -> Content {
        self.content
    }

    /// Return the number of bytes, on the disk or in memory.
    pub fn n_bytes(&self) -> u64 {
        self.content.bytes
    }

    /// Open the file for reading.
    ///
    /// # Errors
    /// If the system can't open it.
    pub fn open(self: &Arc<Self>) -> Result<Reader, FileError> {
        Reader::open(self)
    }

    /// Return whether the file has a state. Only the block that may have it is read.
    ///
    /// # Errors
    /// If the file can't be read, or differs from what was written.
    pub fn contains(&self, state: &[u64]) -> Result<bool, FileError> {
        let after = self.blocks.partition_point(|(_, first)| **first <= *state);
        let Some((place, _)) = after.checked_sub(1).map(|block| &self.blocks[block]) else {
            return Ok(false);
        };
        let mut source = self.source()?;
        match &mut source {
            Source::Memory(passed) => *passed = *place as usize,
            Source::Disk(file) => {
                let place = SeekFrom::Start(*place);
                file.seek(place).map_err(FileError::io(&self.path))?;
            }
        }
        let mut found = Vec::new();
        let mut crc = crc32fast::Hasher::new();
        self.read_block(&mut source, &mut Code::default(), &mut crc, &mut found)?;
        let states: Vec<&[u64]> = found.chunks_exact(self.files.form().words()).collect();
        Ok(states.binary_search(&state).is_ok())
    }

    /// Return the bytes from the first on.
    fn source(&self) -> Result<Source, FileError> {
        Ok(match &self.kind {
            Kind::InMemory(_) => Source::Memory(0),
            _ => Source::Disk(File::open(&self.path).map_err(FileError::io(&self.path))?),
        })
    }

    /// Read the next bytes.
    fn read(&self, source: &mut Source, bytes: &mut [u8]) -> Result<(), FileError> {
        let result = match (source, &self.kind) {
            (Source::Disk(file), _) => file.read_exact(bytes),
            (Source::Memory(passed), Kind::InMemory(all)) => {
                let mut left = all.get(*passed..).unwrap_or_default();
                *passed += bytes.len();
                left.read_exact(bytes)
            }
            (Source::Memory(_), _) => Err(io::ErrorKind::UnexpectedEof.into()),
        };
        result.map_err(|error| self.unread(error))
    }

    /// Read a block, put its states into a vector, and its bytes into a checksum.
    fn read_block(
        &self,
        source: &mut Source,
        code: &mut Code,
        crc: &mut crc32fast::Hasher,
        states: &mut Vec<u64>,
    ) -> Result<(), FileError> {
        states.clear();
        let form = self.files.form();
        let damaged = || FileError::damaged(&self.path, "its checksum is wrong");
        let mut bytes = [0; HEADER];
        self.read(source, &mut bytes)?;
        crc.update(&bytes);
        let header = Header::of_bytes(bytes).ok_or_else(damaged)?;
        let n_states = header.n_states as usize;
        let is_possible = n_states * form.words() <= self.files.buffer_words()
            && header.n_words as usize <= Code::most_words(n_states, form);
        if n_states == 0 || !is_possible {
            return Err(damaged());
        }
        let bytes = code.place_for_bytes(header);
        self.read(source, bytes)?;
        crc.update(bytes);
        if let Source::Disk(_) = source {
            self.files.count_read((HEADER + bytes.len()) as u64);
        }
        if code.decode(header, form, states) {
            Ok(())
        } else {
            Err(damaged())
        }
    }

    /// Write bytes behind those of a file, which is made with the first ones.
    fn put(&self, file: &mut Option<File>, parts: &[&[u8]]) -> Result<(), FileError> {
        let file = match file {
            Some(file) => file,
            None => file.insert(File::create(&self.path).map_err(FileError::io(&self.path))?),
        };
        for part in parts {
            file.write_all(part).map_err(FileError::io(&self.path))?;
            self.files.count_written(part.len() as u64);
        }
        Ok(())
    }

    /// Write what is in memory to the disk.
    fn move_to_disk(&mut self, file: &mut Option<File>) -> Result<(), FileError> {
        self.files.claim(self.content.bytes)?;
        let before = std::mem::replace(&mut self.kind, Kind::Temporary);
        if let Kind::InMemory(bytes) = before {
            self.files.release_memory(self.content.bytes);
            if !bytes.is_empty() {
                self.put(file, &[&bytes])?;
            }
        }
        Ok(())
    }

    /// Return the error for states that can't be read.
    fn unread(&self, error: io::Error) -> FileError {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => {
                FileError::damaged(&self.path, "it is shorter than when it was written")
            }
            _ => FileError::io(&self.path)(error),
        }
    }
}

impl Drop for SortedFile {
    fn drop(&mut self) {
        match self.kind {
            Kind::Kept => {}
            Kind::Temporary => {
                // A file that can't be removed is left to whoever cleans the folder.
                std::fs::remove_file(&self.path).ok();
                self.files.release(self.n_bytes());
            }
            Kind::InMemory(_) => self.files.release_memory(self.n_bytes()),
        }
    }
}

/// Writes a file of states.
#[derive(Debug)]
pub struct Writer {
    made: SortedFile,
    /// `None` before the first states.
    file: Option<File>,
    /// States that wait to be written together, and the most words of them.
    waiting: Vec<u64>,
    most: usize,
    code: Code,
    crc: crc32fast::Hasher,
}

impl Writer {
    pub(crate) fn new(made: SortedFile) -> Self {
        let most = made.files.buffer_words();
        Self {
            file: None,
            waiting: Vec::with_capacity(most),
            most,
            code: Code::default(),
            crc: crc32fast::Hasher::new(),
            made,
        }
    }

    /// Add a state, greater than the one before.
    ///
    /// # Errors
    /// If the file can't be written, or the quota is reached.
    #[inline]
    pub fn push(&mut self, state: &[u64]) -> Result<(), FileError> {
        debug_assert_eq!(state.len(), self.made.files.form().words());
        if self.waiting.len() == self.most {
            self.write_out()?;
        }
        match state {
            [word] => self.waiting.push(*word),
            _ => self.waiting.extend_from_slice(state),
        }
        Ok(())
    }

    /// Add states, one after another, greater than those before.
    ///
    /// # Errors
    /// If the file can't be written, or the quota is reached.
    pub fn extend(&mut self, mut states: &[u64]) -> Result<(), FileError> {
        while !states.is_empty() {
            if self.waiting.len() == self.most {
                self.write_out()?;
            }
            let fitting = states.len().min(self.most - self.waiting.len());
            let (now, later) = states.split_at(fitting);
            self.waiting.extend_from_slice(now);
            states = later;
        }
        Ok(())
    }

    #[cold]
    fn write_out(&mut self) -> Result<(), FileError> {
        let Self { made, file, .. } = self;
        let form = made.files.form();
        let Some(first) = self.waiting.get(..form.words()) else {
            return Ok(());
        };
        let header = self.code.encode(&self.waiting, form).to_bytes();
        let parts = [&header[..], self.code.bytes()];
        let n_bytes = parts.iter().map(|part| part.len() as u64).sum();
        if made.is_in_memory() && !made.files.claim_memory(n_bytes) {
            made.move_to_disk(file)?;
        }
        if !made.is_in_memory() {
            made.files.claim(n_bytes)?;
        }
        made.blocks.push((made.content.bytes, first.to_vec()));
        made.content.states += (self.waiting.len() / form.words()) as u64;
        made.content.bytes += n_bytes;
        parts.iter().for_each(|part| self.crc.update(part));
        if let Kind::InMemory(bytes) = &mut made.kind {
            parts.iter().for_each(|part| bytes.extend_from_slice(part));
        } else {
            made.put(file, &parts)?;
        }
        self.waiting.clear();
        Ok(())
    }

    /// Write the remaining states.
    ///
    /// # Errors
    /// If the file can't be written, or the quota is reached.
    pub fn finish(mut self) -> Result<SortedFile, FileError> {
        self.write_out()?;
        self.made.content.crc32 = self.crc.finalize();
        if let Kind::InMemory(bytes) = &mut self.made.kind {
            bytes.shrink_to_fit();
        }
        Ok(self.made)
    }
}

/// Reads states in the order of a file. At its end, the bytes are compared with those that were
/// written.
#[derive(Debug)]
pub struct Reader {
    of: Arc<SortedFile>,
    /// `None` where nothing is to be read.
    source: Option<Source>,
    /// The states that weren't read from the file yet.
    left: u64,
    code: Code,
    crc: crc32fast::Hasher,
    /// States that were read together, and the words of them up to the end of the present one.
    words: Vec<u64>,
    passed: usize,
    /// The words of a state.
    width: usize,
}

impl Reader {
    pub(crate) fn open(of: &Arc<SortedFile>) -> Result<Self, FileError> {
        let (mut source, mut words) = (None, Vec::new());
        let left = of.content.states;
        if left > 0 {
            source = Some(of.source()?);
            words.reserve_exact(of.files.buffer_words());
        }
        Ok(Self {
            of: Arc::clone(of),
            source,
            left,
            code: Code::default(),
            crc: crc32fast::Hasher::new(),
            words,
            passed: 0,
            width: of.files.form().words(),
        })
    }

    pub(crate) fn of_states(files: &Files, words: Vec<u64>) -> Self {
        Self {
            of: Arc::new(SortedFile::kept(files, PathBuf::new(), Content::default())),
            source: None,
            left: 0,
            code: Code::default(),
            crc: crc32fast::Hasher::new(),
            words,
            passed: 0,
            width: files.form().words(),
        }
    }

    /// Read further states after all were passed. Return whether there are some.
    #[cold]
    fn fill(&mut self) -> Result<bool, FileError> {
        self.passed = 0;
        self.words.clear();
        let Some(source) = self.source.as_mut().filter(|_| self.left > 0) else {
            return Ok(false);
        };
        self.of
            .read_block(source, &mut self.code, &mut self.crc, &mut self.words)?;
        let n_read = (self.words.len() / self.width) as u64;
        let left = self.left.checked_sub(n_read);
        let is_wrong_at_end =
            left == Some(0) && self.crc.clone().finalize() != self.of.content.crc32;
        match left.filter(|_| !is_wrong_at_end) {
            Some(left) => {
                self.left = left;
                Ok(true)
            }
            None => Err(FileError::damaged(&self.of.path, "its checksum is wrong")),
        }
    }

    /// Return the words of the next states: those that were read together; none at the end.
    ///
    /// # Errors
    /// If the file can't be read, or differs from what was written.
    pub fn chunk(&mut self) -> Result<&[u64], FileError> {
        if self.passed == self.words.len() {
            self.fill()?;
        }
        let begin = std::mem::replace(&mut self.passed, self.words.len());
        Ok(&self.words[begin..])
    }

    /// Return the words of the next states, at most `most` states.
    ///
    /// # Errors
    /// If the file can't be read, or differs from what was written.
    pub fn first(mut self, most: usize) -> Result<Vec<u64>, FileError> {
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
}

impl Ascending for Reader {
    #[inline]
    fn advance(&mut self) -> Result<bool, FileError> {
        if self.passed == self.words.len() && !self.fill()? {
            return Ok(false);
        }
        self.passed += self.width;
        Ok(true)
    }

    #[inline]
    fn state(&self) -> &[u64] {
        &self.words[self.passed - self.width..self.passed]
    }
}
