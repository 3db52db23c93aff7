//! Tables that are used in place, in the file that holds them.

use std::num::NonZeroU32;

use crate::machine::Machine;
use crate::machine::bytes::{Words, file_words};
use crate::machine::dense::{Dense, TableError};

/// A machine whose table of next states is in a file, which may be mapped into memory.
///
/// It is ready at once, whatever its size. The table is that of a [`Dense`] machine, which runs
/// even faster. Cloning is cheap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredDense {
    n_letters: u32,
    n_states: u32,
    words: Words,
}

impl StoredDense {
    /// Make a machine from the words of a file, of which only the number is checked.
    pub(crate) fn from_words(
        n_letters: u32,
        n_states: u32,
        words: Words,
    ) -> Result<Self, TableError> {
        let entries = Dense::check_size(n_letters, n_states as usize)?;
        if n_states == 0 || words.len() != entries {
            return Err(TableError::Size {
                entries: words.len(),
                n_states: n_states as usize,
                n_letters,
            });
        }
        Ok(Self {
            n_letters,
            n_states,
            words,
        })
    }

    /// Return the size of the alphabet.
    pub fn n_letters(&self) -> u32 {
        self.n_letters
    }

    /// Return the number of states, without the rejecting one.
    pub fn n_states(&self) -> usize {
        self.n_states as usize
    }

    /// Return the bytes of the table.
    pub fn bytes(&self) -> usize {
        self.words.len() * size_of::<u32>()
    }

    /// Copy the machine into its own memory, and check all entries.
    ///
    /// # Errors
    /// When an entry isn't a state.
    pub fn to_dense(&self) -> Result<Dense, TableError> {
        Dense::from_entries(self.n_letters, self.n_states(), self.words.iter().collect())
    }

    pub(crate) fn words(&self) -> &Words {
        &self.words
    }
}

impl Machine for StoredDense {
    /// The place of the state's row.
    type State = NonZeroU32;

    #[inline]
    fn start(&self) -> NonZeroU32 {
        NonZeroU32::new(self.n_letters.max(1)).expect("at least 1")
    }

    /// As with [`Compressed`](crate::Compressed), an entry that leads out of a damaged table leads
    /// to the start state.
    #[inline]
    fn next(&self, state: NonZeroU32, letter: u32) -> Option<NonZeroU32> {
        let place = state.get() as usize + letter as usize;
        let entry = match &self.words {
            Words::Owned(words) => words.get(place).copied(),
            Words::File { bytes, range } => {
                let words = file_words(bytes, range);
                words.get(place).map(|word| u32::from_le_bytes(*word))
            }
        };
        match entry {
            Some(entry) => NonZeroU32::new(entry),
            None => Some(self.start()),
        }
    }
}
