//! The table form of machines: a row of next states for each state.

use std::num::NonZeroU32;

use crate::error::BuildError;
use crate::machine::{Machine, state_of};

/// A state of a [`Dense`] machine: the place of its row in the table.
///
/// Row 0 belongs to the rejecting state, so `Option<DenseState>` takes no extra memory, and a step
/// is one indexed load.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DenseState(pub(crate) NonZeroU32);

state_of!(DenseState);

/// A machine with a table of next states.
///
/// States are numbered from 1, the start state first; 0 is the rejecting state. Entries are
/// *premultiplied*: they hold the place of the next state's row, not its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dense {
    n_letters: u32,
    next: Vec<u32>,
    /// For each state, including the rejecting one, a row of bits: the letters that are allowed.
    allowed: Vec<u64>,
}

impl Dense {
    pub(crate) fn with_capacity(n_letters: u32, n_states: usize) -> Result<Self, BuildError> {
        let entries = Self::check_size(n_letters, n_states)?;
        let mut next = Vec::with_capacity(entries);
        // Without letters, rows are still required to distinguish states.
        next.resize(n_letters.max(1) as usize, 0);
        Ok(Self {
            n_letters,
            next,
            allowed: Vec::new(),
        })
    }

    /// Return the number of entries of a table, if all of them can be numbered.
    pub(crate) fn check_size(n_letters: u32, n_states: usize) -> Result<usize, BuildError> {
        let entries = (n_states as u128 + 1) * u128::from(n_letters.max(1));
        if entries > u128::from(u32::MAX) {
            return Err(BuildError::TooLarge {
                states: n_states,
                n_letters,
            });
        }
        Ok(entries as usize)
    }

    /// Build a machine from its table: `next[s * n_letters + l]` is the number of the state after
    /// letter l in state s + 1, or 0 where l is forbidden. The first state is the start.
    ///
    /// # Errors
    /// With a message if the table has the wrong size or an entry isn't a state.
    pub fn from_table(n_letters: u32, n_states: usize, next: &[u32]) -> Result<Self, TableError> {
        let row = n_letters as usize;
        if n_states == 0 || Some(next.len()) != n_states.checked_mul(row) {
            return Err(TableError::Size {
                entries: next.len(),
                n_states,
                n_letters,
            });
        }
        let mut dense = Self::with_capacity(n_letters, n_states)?;
        for _ in 0..n_states {
            dense.push_state();
        }
        for (entry, target) in dense.next[row.max(1)..].iter_mut().zip(next) {
            if *target as usize > n_states {
                return Err(TableError::Entry {
                    entry: *target,
                    n_states,
                });
            }
            *entry = target * n_letters;
        }
        dense.finish();
        Ok(dense)
    }

    /// Build a machine from the entries of its table, as [`entries`](Self::entries) gives them.
    pub(crate) fn from_entries(
        n_letters: u32,
        n_states: usize,
        next: Vec<u32>,
    ) -> Result<Self, TableError> {
        let entries = Self::check_size(n_letters, n_states)?;
        let stride = n_letters.max(1);
        let is_row = |entry: u32| (entry as usize) < entries && entry.is_multiple_of(stride);
        if n_states == 0 || next.len() != entries {
            return Err(TableError::Size {
                entries: next.len(),
                n_states,
                n_letters,
            });
        }
        let (rejecting, rows) = next.split_at(stride as usize);
        let rejecting = rejecting.iter().find(|entry| **entry != 0);
        if let Some(entry) = rejecting.or_else(|| rows.iter().find(|entry| !is_row(**entry))) {
            return Err(TableError::Entry {
                entry: *entry,
                n_states,
            });
        }
        let mut dense = Self {
            n_letters,
            next,
            allowed: Vec::new(),
        };
        dense.finish();
        Ok(dense)
    }

    /// Return the entries of the table: the row of the rejecting state, then that of each state
    /// with the places of the next states' rows.
    pub(crate) fn entries(&self) -> &[u32] {
        &self.next
    }

    /// Add a state without successors and return its row.
    pub(crate) fn push_state(&mut self) -> u32 {
        let row = self.next.len() as u32;
        self.next.resize(self.next.len() + self.stride(), 0);
        row
    }

    pub(crate) fn set_row(&mut self, state: u32, row: &[u32]) {
        let start = state as usize;
        self.next[start..start + row.len()].copy_from_slice(row);
    }

    pub(crate) fn row(&self, state: u32) -> &[u32] {
        &self.next[state as usize..][..self.n_letters as usize]
    }

    /// Derive the sets of allowed letters from the table.
    pub(crate) fn finish(&mut self) {
        let row_words = self.row_words();
        let n_letters = self.n_letters as usize;
        self.allowed = vec![0; (self.n_states() + 1) * row_words];
        for (row, bits) in self
            .next
            .chunks_exact(self.stride())
            .zip(self.allowed.chunks_exact_mut(row_words.max(1)))
        {
            for (letter, next) in row[..n_letters].iter().enumerate() {
                bits[letter / 64] |= u64::from(*next != 0) << (letter % 64);
            }
        }
    }

    fn stride(&self) -> usize {
        self.n_letters.max(1) as usize
    }

    fn row_words(&self) -> usize {
        (self.n_letters as usize).div_ceil(64)
    }

    /// Return the size of the alphabet.
    pub fn n_letters(&self) -> u32 {
        self.n_letters
    }

    /// Return the number of states, without the rejecting one.
    pub fn n_states(&self) -> usize {
        self.next.len() / self.stride() - 1
    }

    /// Return the bytes of the table and of the sets of allowed letters.
    pub fn bytes(&self) -> usize {
        self.next.len() * size_of::<u32>() + self.allowed.len() * size_of::<u64>()
    }

    /// Return the bytes that a dense machine with `n_states` states and `n_letters` letters takes,
    /// without building it.
    pub fn bytes_for(n_states: usize, n_letters: u32) -> u128 {
        (n_states as u128 + 1) * Self::bytes_of_row(n_letters)
    }

    /// Return the bytes that a state of a dense machine takes.
    pub(crate) fn bytes_of_row(n_letters: u32) -> u128 {
        u128::from(n_letters.max(1)) * size_of::<u32>() as u128
            + u128::from(n_letters.div_ceil(64)) * size_of::<u64>() as u128
    }

    /// Return the number of a state, from 1.
    pub fn number(&self, state: DenseState) -> usize {
        state.0.get() as usize / self.stride()
    }

    /// Return the state with a number, if there is one.
    pub fn state(&self, number: usize) -> Option<DenseState> {
        let row = if (1..=self.n_states()).contains(&number) {
            number * self.stride()
        } else {
            0
        };
        NonZeroU32::new(row as u32).map(DenseState)
    }

    /// Return the numbers of the states after each letter; 0 where the letter is forbidden.
    pub fn successors(&self, number: usize) -> impl ExactSizeIterator<Item = usize> + '_ {
        let stride = self.stride();
        self.row((number * stride) as u32)
            .iter()
            .map(move |next| *next as usize / stride)
    }
}

impl Machine for Dense {
    type State = DenseState;

    #[inline]
    fn start(&self) -> DenseState {
        // The first row after that of the rejecting state.
        DenseState(NonZeroU32::new(self.n_letters.max(1)).expect("at least 1"))
    }

    #[inline]
    fn next(&self, state: DenseState, letter: u32) -> Option<DenseState> {
        NonZeroU32::new(self.next[(state.0.get() + letter) as usize]).map(DenseState)
    }
}

/// The reasons why a table isn't a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// The number of entries is not the number of states times that of letters.
    #[error("{entries} entries don't make {n_states} states of {n_letters} letters")]
    Size {
        /// The number of entries.
        entries: usize,
        /// The number of states.
        n_states: usize,
        /// The size of the alphabet.
        n_letters: u32,
    },
    /// An entry isn't a state.
    #[error("entry {entry} is not one of the {n_states} states")]
    Entry {
        /// The entry.
        entry: u32,
        /// The number of states.
        n_states: usize,
    },
    /// The machine is too large.
    #[error(transparent)]
    TooLarge(#[from] BuildError),
}
