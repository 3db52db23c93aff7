//! Machine files of version 1: one stream of numbers, with a dense table.

use crate::file::contents::{
    CertifiedWord, FORMAT_VERSION, FileError, MAGIC, MachineFile, VERSION_2, VERSION_3,
};
use crate::file::cursor::{Cursor, check_letters};
use crate::machine::dense::Dense;

/// The number of this version.
pub(super) const VERSION: u32 = 1;

/// Return the version of a file, if this code reads it.
pub(super) fn version(bytes: &[u8]) -> Result<u32, FileError> {
    let mut cursor = Cursor::new(bytes);
    if cursor.take(MAGIC.len()).ok() != Some(MAGIC.as_slice()) {
        return Err(FileError::Magic);
    }
    match cursor.number()? {
        found @ (VERSION | VERSION_2 | VERSION_3 | FORMAT_VERSION) => Ok(found),
        found => Err(FileError::Version { found }),
    }
}

/// Read a whole file whose magic and version have been checked.
pub(super) fn read(bytes: &[u8]) -> Result<MachineFile, FileError> {
    // Lengths may be invalid, so first make sure that the bytes are as written.
    let body = container::checked(bytes, bytes.len())?;
    let mut cursor = Cursor::new(body);
    cursor.take(MAGIC.len() + 4)?;
    let mut game_hash = [0; 32];
    game_hash.copy_from_slice(cursor.take(32)?);
    let n_letters = cursor.number()?;
    let max_length = cursor.number()?;
    let n_states = cursor.number()? as usize;
    let n_words = cursor.number()?;
    let n_assumptions = cursor.number()?;
    let order = cursor.text()?;
    let assumptions = (0..n_assumptions)
        .map(|_| cursor.text())
        .collect::<Result<_, _>>()?;
    let mut letters = || {
        let length = cursor.number()? as usize;
        check_letters(cursor.numbers(length)?, n_letters)
    };
    let mut words = Vec::new();
    for _ in 0..n_words {
        words.push(CertifiedWord::new(letters()?, letters()?));
    }
    let n_entries = n_states
        .checked_mul(n_letters as usize)
        .ok_or(FileError::Truncated)?;
    // States of a machine without letters have no entries, so their number is checked separately.
    if n_letters == 0 && n_states > 1 {
        return Err(FileError::Inconsistent(
            "states that no word reaches".to_owned(),
        ));
    }
    let machine = Dense::from_table(n_letters, n_states, &cursor.numbers(n_entries)?)?;
    cursor.finish("the table")?;
    Ok(MachineFile {
        max_length,
        order,
        assumptions,
        words,
        ..MachineFile::new(game_hash, machine)
    })
}
