//! Folders for one process at a time, and folders that are removed.

use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::error::FileError;

/// The file that a process keeps locked while it works in a folder.
const LOCK: &str = "lock";

/// The age from which a temporary folder whose process is gone is removed. Another process may be
/// about to lock a younger one.
const OLD: Duration = Duration::from_secs(60);

/// The lock of a folder. Other processes can't lock it before this one is dropped, or its process
/// ends.
#[derive(Debug)]
pub struct FolderLock {
    _file: File,
}

impl FolderLock {
    /// Lock a folder, which is made if it is missing.
    ///
    /// # Errors
    /// If another process has locked it, or the system can't make or lock files there.
    pub fn take(folder: &Path) -> Result<Self, FileError> {
        std::fs::create_dir_all(folder).map_err(FileError::io(folder))?;
        let path = folder.join(LOCK);
        let file = File::create(&path).map_err(FileError::io(&path))?;
        match file.try_lock() {
            Ok(()) => Ok(Self { _file: file }),
            Err(TryLockError::WouldBlock) => Err(FileError::InUse(folder.to_owned())),
            Err(TryLockError::Error(error)) => Err(FileError::io(&path)(error)),
        }
    }
}

/// A folder with a name of its own inside of another one. It is locked, and removed with all its
/// files when the value is dropped.
#[derive(Debug)]
pub struct TemporaryFolder {
    path: PathBuf,
    /// The folder around it, if it was made for it.
    around: Option<PathBuf>,
    /// Closed before the folder is removed.
    lock: Option<FolderLock>,
}

impl TemporaryFolder {
    /// Make a folder inside of `around`, which is made if it is missing. Its name begins with
    /// `prefix`. Folders of the same prefix are removed if the processes that made them were
    /// killed.
    ///
    /// # Errors
    /// If the system can't make, lock or remove files or folders.
    pub fn new(around: &Path, prefix: &str) -> Result<Self, FileError> {
        let is_new = !around.exists();
        std::fs::create_dir_all(around).map_err(FileError::io(around))?;
        remove_old(around, prefix)?;
        let mut number = 0_u32;
        let path = loop {
            let path = around.join(format!("{prefix}{}-{number}", std::process::id()));
            match std::fs::create_dir(&path) {
                Ok(()) => break path,
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
                Err(error) => return Err(FileError::io(&path)(error)),
            }
        };
        let mut folder = Self {
            path,
            around: is_new.then(|| around.to_owned()),
            lock: None,
        };
        folder.lock = Some(FolderLock::take(&folder.path)?);
        Ok(folder)
    }

    /// Return the path.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        // Nothing can be done about files that can't be removed; a later call of `new` tries again.
        drop(self.lock.take());
        std::fs::remove_dir_all(&self.path).ok();
        if let Some(around) = &self.around {
            std::fs::remove_dir(around).ok();
        }
    }
}

/// Remove folders of processes that no longer run.
fn remove_old(around: &Path, prefix: &str) -> Result<(), FileError> {
    for entry in std::fs::read_dir(around).map_err(FileError::io(around))? {
        let entry = entry.map_err(FileError::io(around))?;
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        let is_ours = entry.file_name().to_string_lossy().starts_with(prefix);
        if !is_folder || !is_ours {
            continue;
        }
        // A folder without a lock is being made.
        let Ok(lock) = File::open(entry.path().join(LOCK)) else {
            continue;
        };
        let made = lock.metadata().and_then(|lock| lock.modified());
        let is_old = made.is_ok_and(|made| made.elapsed().is_ok_and(|age| age >= OLD));
        if is_old && lock.try_lock().is_ok() {
            std::fs::remove_dir_all(entry.path()).map_err(FileError::io(&entry.path()))?;
        }
    }
    Ok(())
}
