//! The secret of a cluster, in a file for its owner only.

use std::path::Path;

use crate::error::Error;
use crate::store::atomic;
use crate::store::read::read_bytes;
use crate::text::{Task, message};

/// Return the secret in a file, without white space at its ends.
///
/// # Errors
/// When the file can't be read, or can be by other users of this machine.
pub fn read_secret(path: &Path) -> Result<Vec<u8>, Error> {
    refuse_others(path)?;
    let (_, bytes) = read_bytes(path)?;
    Ok(secret_of(&bytes))
}

/// Return a secret without white space at its ends.
pub fn secret_of(bytes: &[u8]) -> Vec<u8> {
    bytes.trim_ascii().to_vec()
}

/// Make a secret of 256 bits, and write it to a new file that only its owner can read.
///
/// # Errors
/// When the file can't be written, or exists.
pub fn write_secret(path: &Path) -> Result<(), Error> {
    let secret = scale_out::random_secret().map_err(super::in_words)?;
    atomic::write_private(path, format!("{secret}\n").as_bytes())
        .map_err(|error| atomic::cannot_write(path, &error))
}

/// Return the error for a secret that could be guessed.
pub(super) fn explained(message: String) -> Error {
    Error::usage(message).with_hint(message![Task::MakeSecret, " one"])
}

/// Refuse a file that other users can read or write.
#[cfg(unix)]
fn refuse_others(path: &Path) -> Result<(), Error> {
    use std::os::unix::fs::PermissionsExt;
    // A file without metadata can't be read, either, which is an error of its own.
    let Ok(metadata) = std::fs::metadata(path) else {
        return Ok(());
    };
    let mode = metadata.permissions().mode();
    if mode & 0o077 == 0 {
        return Ok(());
    }
    let name = path.display();
    let message = format!(
        "other users may use the secret in `{name}`: its mode is {:o}",
        mode & 0o777
    );
    let hint = format!("`chmod 600 {name}` keeps them out, and ");
    Err(Error::input(message).with_hint(message![hint, Task::MakeSecret, " another secret"]))
}

#[cfg(not(unix))]
fn refuse_others(_path: &Path) -> Result<(), Error> {
    Ok(())
}
