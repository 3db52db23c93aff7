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
        Self::with_quota(folder, form, buffer, u64::MAX)
    }

    /// Return the files in a folder that may take at most `quota` bytes in all.
    pub fn with_quota(folder: &Path, form: Form, buffer: usize, quota: u64) -> Self {
        Self(Arc::new(Inner {
            folder: folder.to_owned(),
            form,
            // The states, and their code.
            buffer: (buffer / (2 * WORD * form.words())).max(1),
            quota,
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
        Writer::new(SortedFile::new(self, path.to_owned(), false))
    }

    /// Begin a file in the folder that is removed when nothing needs it any more. Its name is
    /// `run-`, a number, and `.states`.
    pub fn temporary(&self) -> Writer {
        let number = self.0.n_temporary.fetch_add(1, Ordering::Relaxed);
        let path = self.0.folder.join(format!("run-{number:06}.states"));
        Writer::new(SortedFile::new(self, path, true))
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
        let mut file = SortedFile::new(self, path.to_owned(), false);
        file.content = content;
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
