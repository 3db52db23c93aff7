//! The reasons why a file of a table can't be used.

use std::io;

use psvn_ir::ContentHash;

use crate::progress::BuildError;

/// The version of the format that is written. Version 1 can be read, too.
pub const FORMAT_VERSION: u32 = 2;

/// The reasons why a file can't be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// It can't be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is not a file of a table.
    #[error("this is not a pattern database")]
    Magic,
    /// It was written by another version of the program.
    #[error("its format has version {0}, and only versions up to {FORMAT_VERSION} can be read")]
    Version(u32),
    /// Its length differs from the one in its header.
    #[error("it has {found} bytes, but its header says {expected}: it is truncated or damaged")]
    Length {
        /// Its length.
        found: u64,
        /// The length by its header.
        expected: u64,
    },
    /// It was damaged.
    #[error("its {0} is damaged (the checksum doesn't match)")]
    Checksum(&'static str),
    /// Its contents are inconsistent.
    #[error("it is damaged: {0}")]
    Inconsistent(&'static str),
    /// It was built for another game.
    #[error(
        "it belongs to another game: its content hash is {found}, and this game's is {expected}; rules, costs, labels or domains differ"
    )]
    OtherGame {
        /// The game of the file.
        found: ContentHash,
        /// This game.
        expected: ContentHash,
    },
    /// It was built for other goals.
    #[error("it was built for other goals than this game has: build it again")]
    OtherGoals,
    /// Its abstraction can't be rebuilt.
    #[error(transparent)]
    Build(#[from] BuildError),
}
