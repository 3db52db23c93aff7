//! Compressed machines row by row, for callers that store them in another form.

use std::num::NonZeroU32;

use crate::machine::compressed::{Compressed, CompressedState};
use crate::machine::dense::TableError;

/// A machine as rows, each stored as its difference from one of a few base rows.
///
/// States have numbers: 0 is the rejecting one, the start state is 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowDifferences {
    /// Rows that are kept whole: for each letter the next state.
    pub base_rows: Vec<Vec<u32>>,
    /// The rows of the states, the start state's first.
    pub rows: Vec<RowDifference>,
}

/// A row as its difference from a base row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowDifference {
    /// The number of the base row, from 0.
    pub base: usize,
    /// The letters in which the row differs, in ascending order, each with its next state.
    pub exceptions: Vec<(u32, u32)>,
}

impl Compressed {
    /// Return the base rows, and the difference of each state's row from one of them.
    ///
    /// # Errors
    /// When the machine comes from a damaged file that was not verified.
    pub fn row_differences(&self) -> Result<RowDifferences, TableError> {
        let places: Vec<CompressedState> = self.states().collect();
        let wrong = |entry: u32| TableError::Entry {
            entry,
            n_states: places.len(),
        };
        let number = |place: u32| match NonZeroU32::new(place).map(CompressedState) {
            None => Ok(0),
            Some(state) => match places.binary_search(&state) {
                Ok(index) => Ok(index as u32 + 1),
                Err(_) => Err(wrong(place)),
            },
        };
        let word = |place: usize| self.words().get(place).ok_or_else(|| wrong(place as u32));
        let n_letters = self.n_letters() as usize;
        let base_row = |row: usize| {
            let first = 1 + row * n_letters;
            (first..first + n_letters)
                .map(|place| number(word(place)?))
                .collect::<Result<Vec<u32>, TableError>>()
        };
        let row = |state: &CompressedState| {
            let place = state.0.get() as usize;
            let base = word(place)?.checked_sub(1).ok_or_else(|| wrong(0))?;
            let exceptions = self
                .exceptions(place)
                .ok_or_else(|| wrong(state.0.get()))?
                .map(|(letter, next)| Ok((letter, number(next)?)))
                .collect::<Result<_, TableError>>()?;
            Ok(RowDifference {
                base: base as usize / n_letters.max(1),
                exceptions,
            })
        };
        Ok(RowDifferences {
            base_rows: (0..self.n_base_rows())
                .map(base_row)
                .collect::<Result<_, _>>()?,
            rows: places.iter().map(row).collect::<Result<_, TableError>>()?,
        })
    }
}
