//! The reasons why a machine can't be built.

use crate::stop::Stopped;

/// The reasons why words don't make a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The empty word is forbidden, so everything would be.
    #[error("the empty word can't be forbidden")]
    EmptyWord,
    /// A letter outside the alphabet.
    #[error("letter {letter} is not among the {n_letters} letters")]
    Letter {
        /// The letter.
        letter: u32,
        /// The size of the alphabet.
        n_letters: u32,
    },
    /// The table would have more than 2^32 entries.
    #[error("{states} states of {n_letters} letters are too many for a dense table")]
    TooLarge {
        /// The number of states.
        states: usize,
        /// The size of the alphabet.
        n_letters: u32,
    },
    /// The caller had it stopped.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}
