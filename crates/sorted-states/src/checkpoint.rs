//! Checkpoints as files: JSON with the name of its format and a version, replaced atomically.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use serde::de::DeserializeOwned;

use crate::error::FileError;

/// A kind of checkpoint.
#[derive(Clone, Copy, Debug)]
pub struct CheckpointFile {
    /// The name of the file.
    pub name: &'static str,
    /// The name of the format, which the file holds as `format`.
    pub format: &'static str,
    /// The version of the format, which the file holds as `version`.
    pub version: u32,
}

impl CheckpointFile {
    /// Read the checkpoint of a folder; `None` if there is none.
    ///
    /// # Errors
    /// If the file can't be read, or isn't a checkpoint of this kind and version.
    pub fn read<T: DeserializeOwned>(&self, folder: &Path) -> Result<Option<T>, FileError> {
        let path = folder.join(self.name);
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(FileError::io(&path)(error)),
        };
        let head: serde_json::Value =
            serde_json::from_str(&text).map_err(|error| self.damaged(folder, error))?;
        if head["format"] != self.format {
            return Err(self.damaged(folder, "it isn't a checkpoint of an exploration"));
        }
        if head["version"] != self.version {
            let (found, read) = (&head["version"], self.version);
            let problem =
                format!("its format has version {found}, and this program reads version {read}");
            return Err(self.damaged(folder, problem));
        }
        let checkpoint = serde_json::from_value(head);
        checkpoint.map_err(|error| self.damaged(folder, error))
    }

    /// Replace the checkpoint of a folder atomically, and make sure that it is on the disk.
    ///
    /// # Errors
    /// If the system can't.
    pub fn replace(&self, folder: &Path, text: &[u8]) -> Result<(), FileError> {
        let path = folder.join(self.name);
        let new = folder.join(format!("{}.new", self.name));
        let mut file = File::create(&new).map_err(FileError::io(&new))?;
        file.write_all(text).map_err(FileError::io(&new))?;
        file.sync_all().map_err(FileError::io(&new))?;
        std::fs::rename(&new, &path).map_err(FileError::io(&path))?;
        // Sync the folder's entry, too, where the system supports it.
        if let Ok(folder) = File::open(folder) {
            folder.sync_all().ok();
        }
        Ok(())
    }

    /// Return the error for a checkpoint with a problem.
    pub fn damaged(&self, folder: &Path, problem: impl ToString) -> FileError {
        FileError::damaged(&folder.join(self.name), problem)
    }
}
