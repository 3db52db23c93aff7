//! Opening machine files, and checking that they belong to the game.

use std::path::Path;

use fsm::{OpenError, OpenFile};
pub(crate) use redundancy::file::rules_of_file;
pub use redundancy::file::{assumptions, check_lengths, check_starts, split_game_of};
pub use redundancy::ignored::check as check_ignored;

use crate::error::Error;
use crate::store::read::{read_bytes, reason};

/// The checksums of files up to this size are verified on opening, in a few hundredths of a second.
/// Larger ones are mapped and used at once; `psvn verify` reads them completely.
const VERIFIED_ON_OPENING: u64 = 256 << 20;

/// Open a machine file in place. Only sources that aren't plain files are read into memory.
///
/// # Errors
/// When the file can't be read, or isn't a valid machine file.
pub fn open(path: &Path) -> Result<OpenFile, Error> {
    let size = std::fs::metadata(path)
        .ok()
        .filter(std::fs::Metadata::is_file)
        .map(|metadata| metadata.len());
    let (name, opened) = match size {
        // A special name wins over a file of that name.
        Some(size) if path != Path::new("-") => {
            let opened = OpenFile::map(path).and_then(|file| {
                if size <= VERIFIED_ON_OPENING {
                    file.verify_checksum()?;
                }
                Ok(file)
            });
            (path.display().to_string(), opened)
        }
        _ => {
            let (name, bytes) = read_bytes(path)?;
            (name, OpenFile::from_bytes(bytes).map_err(OpenError::from))
        }
    };
    opened.map_err(|error| match error {
        OpenError::Io(error) => Error::input(format!("can't read `{name}`: {}", reason(&error))),
        OpenError::File(error) => unreadable(&name, &error),
        error => Error::input(format!("{name}: {error}")),
    })
}

/// Return the error for an invalid machine file.
pub fn unreadable(name: &str, error: &fsm::FileError) -> Error {
    redundancy::unreadable(name, error).into()
}

/// Open a machine file and check that it was made for a game.
///
/// # Errors
/// When the file can't be read, isn't a valid machine file, or belongs to another game.
pub fn open_for(path: &Path, game: &psvn_ir::Game, game_name: &str) -> Result<OpenFile, Error> {
    let file = open(path)?;
    redundancy::file::check_game(&file, path, game, game_name)?;
    Ok(file)
}
