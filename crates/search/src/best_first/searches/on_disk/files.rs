//! Files of states in ascending order, in a folder of one search.

use std::fs::{File, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::best_first::searches::on_disk::error::{Halt, OnDiskError, file_error};
use crate::best_first::searches::on_disk::room::Room;
use crate::run::limits::StopReason;

/// The beginning of the names of folders of searches.
const PREFIX: &str = "a-star-";

/// The file that a running search keeps locked.
const LOCK: &str = "lock";

/// The age from which a folder whose search is gone is removed. Another process may be about to
/// lock a younger one.
const OLD: Duration = Duration::from_secs(60);

/// The form of a state: its words, and the bytes of them that are used and stored in files.
#[derive(Clone, Copy, Debug)]
pub(super) struct Form {
    pub(super) words: usize,
    pub(super) bytes: usize,
}

impl Form {
    fn write(self, state: &[u64], bytes: &mut Vec<u8>) {
        let mut left = self.bytes;
        for word in state {
            let used = left.min(8);
            bytes.extend_from_slice(&word.to_le_bytes()[..used]);
            left -= used;
        }
    }

    fn read(self, bytes: &[u8], state: &mut [u64]) {
        for (word, bytes) in state.iter_mut().zip(bytes.chunks(8)) {
            let mut whole = [0; 8];
            whole[..bytes.len()].copy_from_slice(bytes);
            *word = u64::from_le_bytes(whole);
        }
    }
}

/// The folder of one search, removed with all its files when the search ends.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
    /// The folder around it, if it was made for the search.
    around: Option<PathBuf>,
    /// Locked while the search runs, and closed before the folder is removed.
    lock: Option<File>,
    form: Form,
    /// The most bytes of all files.
    most: u64,
    files: AtomicU64,
    bytes: AtomicU64,
    peak: AtomicU64,
    read: AtomicU64,
    written: AtomicU64,
}

impl Folder {
    /// Make the folder of a search inside of another one, which is made if it is missing, for files
    /// of at most `most` bytes in all. Folders of searches that were killed are removed.
    pub(super) fn new(around: &Path, form: Form, most: u64) -> Result<Self, OnDiskError> {
        let is_new = !around.exists();
        std::fs::create_dir_all(around).map_err(file_error(around))?;
        remove_old(around)?;
        let mut number = 0_u32;
        let path = loop {
            let path = around.join(format!("{PREFIX}{}-{number}", std::process::id()));
            match std::fs::create_dir(&path) {
                Ok(()) => break path,
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => number += 1,
                Err(error) => return Err(file_error(&path)(error)),
            }
        };
        let mut folder = Self {
            around: is_new.then(|| around.to_owned()),
            lock: None,
            form,
            most,
            files: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
            peak: AtomicU64::new(0),
            read: AtomicU64::new(0),
            written: AtomicU64::new(0),
            path,
        };
        let lock_path = folder.path.join(LOCK);
        let lock = File::create(&lock_path).map_err(file_error(&lock_path))?;
        match lock.try_lock() {
            Ok(()) | Err(TryLockError::WouldBlock) => {}
            Err(TryLockError::Error(error)) => return Err(file_error(&lock_path)(error)),
        }
        folder.lock = Some(lock);
        Ok(folder)
    }

    pub(super) fn form(&self) -> Form {
        self.form
    }

    /// Return the error for files that differ from what was written.
    pub(super) fn damaged(&self, problem: &'static str) -> OnDiskError {
        OnDiskError::Damaged {
            path: self.path.clone(),
            problem,
        }
    }

    /// Count bytes that are about to be written.
    ///
    /// # Errors
    /// If there would be too many; then nothing is counted.
    fn claim(&self, bytes: u64) -> Result<(), StopReason> {
        let claimed = self
            .bytes
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |before| {
                before.checked_add(bytes).filter(|all| *all <= self.most)
            });
        let before = claimed.map_err(|_| StopReason::Disk)?;
        self.peak.fetch_max(before + bytes, Ordering::Relaxed);
        Ok(())
    }

    /// Return the bytes of all files, and the most at any time.
    pub(super) fn n_bytes(&self) -> (u64, u64) {
        let load = |count: &AtomicU64| count.load(Ordering::Relaxed);
        (load(&self.bytes), load(&self.peak))
    }

    /// Return the bytes that were read and written.
    pub(super) fn transfers(&self) -> (u64, u64) {
        let load = |count: &AtomicU64| count.load(Ordering::Relaxed);
        (load(&self.read), load(&self.written))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Nothing can be done about files that can't be removed; a later search tries again.
        drop(self.lock.take());
        std::fs::remove_dir_all(&self.path).ok();
        if let Some(around) = &self.around {
            std::fs::remove_dir(around).ok();
        }
    }
}

/// Remove the folders of searches that no longer run.
fn remove_old(around: &Path) -> Result<(), OnDiskError> {
    let entries = std::fs::read_dir(around).map_err(file_error(around))?;
    for entry in entries {
        let entry = entry.map_err(file_error(around))?;
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        let is_ours = entry.file_name().to_string_lossy().starts_with(PREFIX);
        if !is_folder || !is_ours {
            continue;
        }
        // A folder without a lock is being made.
        let Ok(lock) = File::open(entry.path().join(LOCK)) else {
            continue;
        };
        let age = lock.metadata().and_then(|it| it.modified());
        let is_old = age.is_ok_and(|made| made.elapsed().is_ok_and(|age| age >= OLD));
        if is_old && lock.try_lock().is_ok() {
            std::fs::remove_dir_all(entry.path()).map_err(file_error(&entry.path()))?;
        }
    }
    Ok(())
}

/// A file of ascending states, removed with the value.
#[derive(Debug)]
pub(super) struct StateFile<'d> {
    path: PathBuf,
    folder: &'d Folder,
    states: u64,
    crc32: u32,
}

impl StateFile<'_> {
    pub(super) fn n_states(&self) -> u64 {
        self.states
    }

    pub(super) fn n_bytes(&self) -> u64 {
        self.states * self.folder.form.bytes as u64
    }

    fn damaged(&self, problem: &'static str) -> OnDiskError {
        OnDiskError::Damaged {
            path: self.path.clone(),
            problem,
        }
    }

    fn failed(&self, error: std::io::Error) -> OnDiskError {
        match error.kind() {
            std::io::ErrorKind::UnexpectedEof => {
                self.damaged("it is shorter than when it was written")
            }
            _ => file_error(&self.path)(error),
        }
    }

    /// Return whether the file has a state.
    pub(super) fn contains(&self, state: &[u64]) -> Result<bool, OnDiskError> {
        let form = self.folder.form;
        let mut file = File::open(&self.path).map_err(file_error(&self.path))?;
        let (mut bytes, mut found) = (vec![0; form.bytes], vec![0; form.words]);
        let (mut low, mut high) = (0, self.states);
        while low < high {
            let middle = low + (high - low) / 2;
            let place = SeekFrom::Start(middle * form.bytes as u64);
            file.seek(place).map_err(file_error(&self.path))?;
            file.read_exact(&mut bytes)
                .map_err(|error| self.failed(error))?;
            form.read(&bytes, &mut found);
            match found.as_slice().cmp(state) {
                std::cmp::Ordering::Equal => return Ok(true),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        Ok(false)
    }
}

impl Drop for StateFile<'_> {
    fn drop(&mut self) {
        std::fs::remove_file(&self.path).ok();
        self.folder
            .bytes
            .fetch_sub(self.n_bytes(), Ordering::Relaxed);
    }
}

/// The bytes of a file that wait to be written, or were read ahead.
#[derive(Debug)]
struct Buffer<'d> {
    bytes: Vec<u8>,
    /// The most bytes, a whole number of states.
    most: usize,
    room: &'d Room,
}

impl<'d> Buffer<'d> {
    fn new(form: Form, room: &'d Room) -> Self {
        let most = room.shares.buffer / form.bytes * form.bytes;
        room.claim(most);
        Self {
            bytes: Vec::with_capacity(most),
            most,
            room,
        }
    }
}

impl Drop for Buffer<'_> {
    fn drop(&mut self) {
        self.room.release(self.most);
    }
}

/// Writes a file of states.
#[derive(Debug)]
pub(super) struct Writer<'d> {
    file: File,
    made: StateFile<'d>,
    waiting: Buffer<'d>,
    crc: crc32fast::Hasher,
}

impl<'d> Writer<'d> {
    pub(super) fn create(folder: &'d Folder, room: &'d Room) -> Result<Self, OnDiskError> {
        let number = folder.files.fetch_add(1, Ordering::Relaxed);
        let path = folder.path.join(format!("{number}.states"));
        let file = File::create(&path).map_err(file_error(&path))?;
        Ok(Self {
            file,
            made: StateFile {
                path,
                folder,
                states: 0,
                crc32: 0,
            },
            waiting: Buffer::new(folder.form, room),
            crc: crc32fast::Hasher::new(),
        })
    }

    /// Add a state, greater than the one before.
    pub(super) fn push(&mut self, state: &[u64]) -> Result<(), Halt> {
        if self.waiting.bytes.len() == self.waiting.most {
            self.write()?;
        }
        self.made.folder.form.write(state, &mut self.waiting.bytes);
        Ok(())
    }

    fn write(&mut self) -> Result<(), Halt> {
        let folder = self.made.folder;
        let waiting = &mut self.waiting.bytes;
        let bytes = waiting.len() as u64;
        folder.claim(bytes)?;
        self.made.states += bytes / folder.form.bytes as u64;
        self.crc.update(waiting);
        self.file
            .write_all(waiting)
            .map_err(file_error(&self.made.path))?;
        folder.written.fetch_add(bytes, Ordering::Relaxed);
        waiting.clear();
        Ok(())
    }

    /// Write the remaining states.
    pub(super) fn finish(mut self) -> Result<StateFile<'d>, Halt> {
        self.write()?;
        self.made.crc32 = self.crc.finalize();
        Ok(self.made)
    }
}

/// Reads a file of states. At its end, the bytes read are compared with those that were written.
#[derive(Debug)]
pub(super) struct Reader<'d> {
    file: File,
    of: Arc<StateFile<'d>>,
    crc: crc32fast::Hasher,
    /// The states that weren't read from the file yet.
    left: u64,
    ahead: Buffer<'d>,
    at: usize,
}

impl<'d> Reader<'d> {
    pub(super) fn open(of: &Arc<StateFile<'d>>, room: &'d Room) -> Result<Self, OnDiskError> {
        Ok(Self {
            file: File::open(&of.path).map_err(file_error(&of.path))?,
            crc: crc32fast::Hasher::new(),
            left: of.states,
            ahead: Buffer::new(of.folder.form, room),
            at: 0,
            of: Arc::clone(of),
        })
    }

    /// Read the next state, if there is one.
    pub(super) fn next(&mut self, state: &mut [u64]) -> Result<bool, OnDiskError> {
        if self.at == self.ahead.bytes.len() && !self.fill()? {
            return Ok(false);
        }
        let form = self.of.folder.form;
        form.read(&self.ahead.bytes[self.at..self.at + form.bytes], state);
        self.at += form.bytes;
        Ok(true)
    }

    fn fill(&mut self) -> Result<bool, OnDiskError> {
        let folder = self.of.folder;
        let record = folder.form.bytes;
        let states = self.left.min((self.ahead.most / record) as u64);
        let bytes = &mut self.ahead.bytes;
        bytes.resize(states as usize * record, 0);
        self.at = 0;
        if states == 0 {
            return Ok(false);
        }
        let read = self.file.read_exact(bytes);
        read.map_err(|error| self.of.failed(error))?;
        let n_bytes = bytes.len() as u64;
        folder.read.fetch_add(n_bytes, Ordering::Relaxed);
        self.crc.update(bytes);
        self.left -= states;
        if self.left == 0 && self.crc.clone().finalize() != self.of.crc32 {
            return Err(self.of.damaged("its checksum is wrong"));
        }
        Ok(true)
    }
}
