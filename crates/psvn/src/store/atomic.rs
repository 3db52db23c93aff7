//! Atomic writing of files. Every file that a command writes is written here.

use std::io;
use std::path::Path;

pub use container::atomic::{Complete, Draft, Place, Target, folder_of};

use super::read::reason;
use crate::error::Error;

/// Write a file: all of it or, on an error, nothing.
///
/// # Errors
/// When the file can't be written.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    container::atomic::write(path, bytes).map_err(|error| cannot_write(path, &error))
}

/// Write a new file that only its owner can read, and replace none: all of it or, on an error,
/// nothing.
///
/// # Errors
/// When the file can't be written, or there is one.
pub fn write_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // A temporary file is its owner's only, unless other permissions are given.
    let mut file = tempfile::Builder::new()
        .prefix(TEMPORARY_PREFIX)
        .tempfile_in(folder_of(path))?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    let written = file.persist_noclobber(path);
    written.map(|_| ()).map_err(|error| error.error)
}

/// Return the error that a file can't be written.
pub fn cannot_write(path: &Path, error: &io::Error) -> Error {
    Error::input(format!(
        "can't write `{}`: {}",
        path.display(),
        reason(error)
    ))
}
