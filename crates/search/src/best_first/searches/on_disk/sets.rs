//! Sets of states: in memory, or in a file.

use std::path::Path;
use std::sync::Arc;

use sorted_states::{
    Ascending, FileError, Files, Form, Reader, SortedFile, TemporaryFolder, Writer,
};

use crate::best_first::searches::on_disk::error::Halt;
use crate::best_first::searches::on_disk::room::words::{Place, Words};
use crate::best_first::searches::on_disk::room::{Buffers, Room, Shares};
use crate::run::limits::StopReason;

/// The beginning of the names of folders of searches.
const PREFIX: &str = "a-star-";

/// The memory and the files of a search.
#[derive(Debug)]
pub(super) struct Disk {
    pub(super) room: Room,
    pub(super) files: Files,
    /// Removed after all files.
    folder: TemporaryFolder,
}

impl Disk {
    /// Make the folder of a search inside of another one, for files of at most `most` bytes in all.
    pub(super) fn new(
        shares: Shares,
        form: Form,
        around: &Path,
        most: u64,
    ) -> Result<Self, FileError> {
        let folder = TemporaryFolder::new(around, PREFIX)?;
        Ok(Self {
            room: Room::new(shares, form.words()),
            files: Files::with_quota(folder.path(), form, shares.buffer, most),
            folder,
        })
    }

    /// Return the number of words of a state.
    pub(super) fn n_words(&self) -> usize {
        self.files.form().words()
    }

    /// Return the error for files that differ from what was written.
    pub(super) fn damaged(&self, problem: &str) -> FileError {
        FileError::damaged(self.folder.path(), problem)
    }

    /// Count the buffers of some files.
    pub(super) fn buffers(&self, n_files: usize) -> Buffers<'_> {
        Buffers::new(&self.room, n_files * self.files.buffer_bytes())
    }

    /// Write ascending states to a file.
    pub(super) fn write(&self, words: &Words<'_>) -> Result<Arc<SortedFile>, Halt> {
        let _buffer = self.buffers(1);
        Ok(Arc::new(self.begin(words)?.finish()?))
    }

    /// Begin a file with ascending states.
    fn begin(&self, words: &Words<'_>) -> Result<Writer, FileError> {
        let mut writer = self.files.temporary();
        for block in words.blocks() {
            writer.extend(block)?;
        }
        Ok(writer)
    }
}

/// Sort states, and leave one of those that are equal. Return the number of others.
pub(super) fn sort(states: &mut Words<'_>, n_words: usize) -> Result<u64, StopReason> {
    let before = states.len();
    states.change(|words| sorted_states::sort(words, n_words))?;
    Ok(((before - states.len()) / n_words) as u64)
}

/// Ascending states.
#[derive(Clone, Debug)]
pub(super) enum Set<'d> {
    Memory(Arc<Words<'d>>),
    File(Arc<SortedFile>),
}

impl<'d> Set<'d> {
    pub(super) fn empty(disk: &'d Disk) -> Self {
        Self::Memory(Arc::new(Words::new(&disk.room)))
    }

    pub(super) fn is_empty(&self) -> bool {
        match self {
            Self::Memory(words) => words.is_empty(),
            Self::File(file) => file.content().states == 0,
        }
    }

    /// Return the number of states, and the bytes that they take in memory and in a file.
    pub(super) fn size(&self, n_words: usize) -> (u64, u64) {
        match self {
            Self::Memory(words) => ((words.len() / n_words) as u64, words.n_bytes() as u64),
            Self::File(file) => (file.content().states, file.n_bytes()),
        }
    }

    pub(super) fn contains(&self, state: &[u64]) -> Result<bool, FileError> {
        match self {
            Self::Memory(words) => {
                let (mut low, mut high) = (0, words.len() / state.len());
                while low < high {
                    let middle = low + (high - low) / 2;
                    match words.state(middle * state.len(), state.len()).cmp(state) {
                        std::cmp::Ordering::Equal => return Ok(true),
                        std::cmp::Ordering::Less => low = middle + 1,
                        std::cmp::Ordering::Greater => high = middle,
                    }
                }
                Ok(false)
            }
            Self::File(file) => file.contains(state),
        }
    }

    /// Read the states from the first on.
    pub(super) fn feed(&self, disk: &'d Disk) -> Result<Feed<'d>, FileError> {
        Ok(match self {
            Self::Memory(words) => Feed::Memory {
                words: Arc::clone(words),
                n_words: disk.n_words(),
                at: Place::default(),
                next: Place::default(),
            },
            Self::File(file) => Feed::File {
                reader: file.open()?,
                _buffer: disk.buffers(1),
            },
        })
    }
}

/// Reads a set.
#[derive(Debug)]
pub(super) enum Feed<'d> {
    Memory {
        words: Arc<Words<'d>>,
        n_words: usize,
        /// The places of the present state and of the next one.
        at: Place,
        next: Place,
    },
    File {
        reader: Reader,
        _buffer: Buffers<'d>,
    },
}

impl Ascending for Feed<'_> {
    #[inline]
    fn advance(&mut self) -> Result<bool, FileError> {
        match self {
            Self::Memory {
                words,
                n_words,
                at,
                next,
            } => {
                *at = *next;
                Ok(words.pass(next, *n_words))
            }
            Self::File { reader, .. } => reader.advance(),
        }
    }

    #[inline]
    fn state(&self) -> &[u64] {
        match self {
            Self::Memory {
                words, n_words, at, ..
            } => words.at(*at, *n_words),
            Self::File { reader, .. } => reader.state(),
        }
    }
}

/// Makes a set of ascending states, which goes to a file when the memory is full.
#[derive(Debug)]
pub(super) struct SetWriter<'d> {
    disk: &'d Disk,
    words: Words<'d>,
    file: Option<(Writer, Buffers<'d>)>,
}

impl<'d> SetWriter<'d> {
    pub(super) fn new(disk: &'d Disk) -> Self {
        Self {
            disk,
            words: Words::new(&disk.room),
            file: None,
        }
    }

    /// Add a state, greater than the one before.
    pub(super) fn push(&mut self, state: &[u64]) -> Result<(), Halt> {
        if let Some((file, _)) = &mut self.file {
            return Ok(file.push(state)?);
        }
        self.words.extend(state)?;
        let room = &self.disk.room;
        let is_large = 2 * self.words.n_bytes() > room.shares.list;
        if is_large || self.words.n_bytes() >= room.shares.buffer && room.is_full() {
            let buffer = self.disk.buffers(1);
            self.file = Some((self.disk.begin(&self.words)?, buffer));
            self.words = Words::new(room);
        }
        Ok(())
    }

    pub(super) fn finish(mut self) -> Result<Set<'d>, Halt> {
        self.words.shrink();
        match self.file {
            Some((file, _)) => Ok(Set::File(Arc::new(file.finish()?))),
            None => Ok(Set::Memory(Arc::new(self.words))),
        }
    }
}
