//! The files of one search or exploration.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::FileError;
use crate::file::{Content, Reader, SortedFile, Writer};
use crate::form::{Form, WORD};

/// Files of states of one form in one folder, with a quota and counts of their bytes. Clones share
/// these. Any number of threads may use them.
#[derive(Clone, Debug)]
pub struct Files(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    folder: PathBuf,
    form: Form,
    /// The states of the buffer of a file that is written or read.
    buffer: usize,
    quota: u64,
    /// The bytes of temporary files that may be in memory, and that are.
    most_in_memory: u64,
    in_memory: AtomicU64,
    /// The number of temporary files so far, for their names.
    n_temporary: AtomicU64,
    bytes: AtomicU64,
    peak: AtomicU64,
    read: AtomicU64,
    written: AtomicU64,
}

/// The bytes of files, and the bytes that were transferred.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// The bytes of all files that were written, without temporary ones that were removed.
    pub bytes: u64,
    /// The most of these bytes at any time.
    pub peak: u64,
    /// The bytes read from files.
    pub read: u64,
    /// The bytes written to files.
    pub written: u64,
}

impl Files {
    /// Return the files in a folder, with about `buffer` bytes of memory for each one that is
    /// written or read, but enough for a state.
    pub fn new(folder: &Path, form: Form, buffer: usize) -> Self {
        Self::with_limits(folder, form, buffer, u64::MAX, 0)
    }

    /// Return the files in a folder of which temporary ones stay in memory while these take at most
    /// `memory` bytes.
    pub fn with_memory(folder: &Path, form: Form, buffer: usize, memory: u64) -> Self {
        Self::with_limits(folder, form, buffer, u64::MAX, memory)
    }

    /// Return the files in a folder that may take at most `quota` bytes in all.
    pub fn with_quota(folder: &Path, form: Form, buffer: usize, quota: u64) -> Self {
        Self::with_limits(folder, form, buffer, quota, 0)
    }

    fn with_limits(folder: &Path, form: Form, buffer: usize, quota: u64, memory: u64) -> Self {
        Self(Arc::new(Inner {
            folder: folder.to_owned(),
            form,
            // The states, and their code.
            buffer: (buffer / (2 * WORD * form.words())).max(1),
            quota,
            most_in_memory: memory,
            in_memory: AtomicU64::new(0),
            n_temporary: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
            peak: AtomicU64::new(0),
            read: AtomicU64::new(0),
            written: AtomicU64::new(0),
        }))
    }

    /// Return the form of the states.
    pub fn form(&self) -> Form {
        self.0.form
    }

    /// Return the bytes of memory that the buffer of a file takes.
    pub fn buffer_bytes(&self) -> usize {
        2 * WORD * self.buffer_words()
    }

    pub(crate) fn buffer_words(&self) -> usize {
        self.0.buffer * self.0.form.words()
    }

    /// Begin a file that stays when it is finished. It is made, or replaced, with the first states;
    /// no file is made for none.
    pub fn create(&self, path: &Path) -> Writer {
        let content = Content::default();
        Writer::new(SortedFile::kept(self, path.to_owned(), content))
    }

    /// Begin a file that is removed when nothing needs it any more. It stays in memory while there
    /// is room for it, and is otherwise in the folder; its name is `run-`, a number, and `.states`.
    pub fn temporary(&self) -> Writer {
        self.begin_temporary(self.0.most_in_memory > 0)
    }

    /// Begin a file like a [`temporary`](Self::temporary) one that isn't in memory.
    pub fn temporary_on_disk(&self) -> Writer {
        self.begin_temporary(false)
    }

    fn begin_temporary(&self, may_be_in_memory: bool) -> Writer {
        let number = self.0.n_temporary.fetch_add(1, Ordering::Relaxed);
        let path = self.0.folder.join(format!("run-{number:06}.states"));
        Writer::new(SortedFile::temporary(self, path, may_be_in_memory))
    }

    /// Write ascending states, one after another, to a temporary file.
    ///
    /// # Errors
    /// If the file can't be written, or the quota is reached.
    pub fn write(&self, states: &[u64]) -> Result<Arc<SortedFile>, FileError> {
        let mut writer = self.temporary();
        writer.extend(states)?;
        writer.finish().map(Arc::new)
    }

    /// Open a file that was written before, perhaps by another process.
    ///
    /// # Errors
    /// If the system can't open it.
    pub fn open(&self, path: &Path, content: Content) -> Result<Reader, FileError> {
        let file = SortedFile::kept(self, path.to_owned(), content);
        Reader::open(&Arc::new(file))
    }

    /// Return a reader of ascending states in memory.
    pub fn in_memory(&self, states: Vec<u64>) -> Reader {
        Reader::of_states(self, states)
    }

    /// Return the bytes of all files.
    pub fn usage(&self) -> Usage {
        let load = |count: &AtomicU64| count.load(Ordering::Relaxed);
        Usage {
            bytes: load(&self.0.bytes),
            peak: load(&self.0.peak),
            read: load(&self.0.read),
            written: load(&self.0.written),
        }
    }

    /// Return the bytes of temporary files in memory.
    pub fn bytes_in_memory(&self) -> u64 {
        self.0.in_memory.load(Ordering::Relaxed)
    }

    /// Return the bytes for which there is room in memory.
    pub fn room_in_memory(&self) -> u64 {
        self.0.most_in_memory.saturating_sub(self.bytes_in_memory())
    }

    /// Count bytes that are about to be kept in memory. Return whether there is room for them.
    pub(crate) fn claim_memory(&self, bytes: u64) -> bool {
        let (files, order) = (&*self.0, Ordering::Relaxed);
        let claimed = |before: u64| Some(before + bytes).filter(|all| *all <= files.most_in_memory);
        files.in_memory.fetch_update(order, order, claimed).is_ok()
    }

    /// Count bytes that are no longer in memory.
    pub(crate) fn release_memory(&self, bytes: u64) {
        self.0.in_memory.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// Count bytes that are about to be written.
    pub(crate) fn claim(&self, bytes: u64) -> Result<(), FileError> {
        let files = &*self.0;
        let claimed = files
            .bytes
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |before| {
                before.checked_add(bytes).filter(|all| *all <= files.quota)
            });
        let before = claimed.map_err(|_| FileError::Quota(files.quota))?;
        files.peak.fetch_max(before + bytes, Ordering::Relaxed);
        Ok(())
    }

    /// Count bytes of a file that was removed.
    pub(crate) fn release(&self, bytes: u64) {
        self.0.bytes.fetch_sub(bytes, Ordering::Relaxed);
    }

    pub(crate) fn count_written(&self, bytes: u64) {
        self.0.written.fetch_add(bytes, Ordering::Relaxed);
    }

    pub(crate) fn count_read(&self, bytes: u64) {
        self.0.read.fetch_add(bytes, Ordering::Relaxed);
    }
}
