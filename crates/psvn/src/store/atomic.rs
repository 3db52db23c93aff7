//! Atomic writing of files. Every file that a command writes is written here.

use std::io;
use std::path::Path;

pub use container::atomic::{Complete, Draft, Place, Target, folder_of, write_private};

use super::read::reason;
use crate::error::Error;

/// Write a file: all of it or, on an error, nothing.
///
/// # Errors
/// When the file can't be written.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    container::atomic::write(path, bytes).map_err(|error| cannot_write(path, &error))
}

/// Return the error that a file can't be written.
pub fn cannot_write(path: &Path, error: &io::Error) -> Error {
    Error::input(format!(
        "can't write `{}`: {}",
        path.display(),
        reason(error)
    ))
}
