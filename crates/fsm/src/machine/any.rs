//! One type for all forms of machines.

use std::borrow::Cow;
use std::num::NonZeroU32;

use crate::error::BuildError;
use crate::machine::compressed::{Compressed, CompressedState};
use crate::machine::dense::{Dense, DenseState, TableError};
use crate::machine::stored_dense::StoredDense;
use crate::machine::{Machine, state_of};

/// A machine in any form, for callers that learn the form only when they read a file.
///
/// Compared with the form itself, a step takes one more branch, which is always decided alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnyMachine {
    /// A table in memory.
    Dense(Dense),
    /// A table in a file.
    StoredDense(StoredDense),
    /// Compressed rows, in memory or in a file.
    Compressed(Compressed),
}

/// A state of an [`AnyMachine`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AnyState(NonZeroU32);

state_of!(AnyState);

impl AnyMachine {
    /// Return a machine in its compressed form, if its table takes more than `bytes` bytes and the
    /// form at most half of that; else as a table.
    ///
    /// # Errors
    /// When the compressed form would have more than 2^32 words.
    pub fn compressed_above(bytes: usize, machine: Dense) -> Result<Self, BuildError> {
        if machine.bytes() > bytes {
            let compressed = Compressed::from_dense(&machine)?;
            if compressed.bytes() <= machine.bytes() / 2 {
                return Ok(compressed.into());
            }
        }
        Ok(machine.into())
    }

    /// Return the size of the alphabet.
    pub fn n_letters(&self) -> u32 {
        match self {
            AnyMachine::Dense(machine) => machine.n_letters(),
            AnyMachine::StoredDense(machine) => machine.n_letters(),
            AnyMachine::Compressed(machine) => machine.n_letters(),
        }
    }

    /// Return the number of states, without the rejecting one.
    pub fn n_states(&self) -> usize {
        match self {
            AnyMachine::Dense(machine) => machine.n_states(),
            AnyMachine::StoredDense(machine) => machine.n_states(),
            AnyMachine::Compressed(machine) => machine.n_states(),
        }
    }

    /// Return the bytes that it takes in memory or in its file.
    pub fn bytes(&self) -> usize {
        match self {
            AnyMachine::Dense(machine) => machine.bytes(),
            AnyMachine::StoredDense(machine) => machine.bytes(),
            AnyMachine::Compressed(machine) => machine.bytes(),
        }
    }

    /// Return the machine as a table in memory, the form that the algorithms of this crate require.
    /// States keep their order.
    ///
    /// # Errors
    /// When the table is too large, or comes from a damaged file that was not verified.
    pub fn to_dense(&self) -> Result<Cow<'_, Dense>, TableError> {
        match self {
            AnyMachine::Dense(machine) => Ok(Cow::Borrowed(machine)),
            AnyMachine::StoredDense(machine) => machine.to_dense().map(Cow::Owned),
            AnyMachine::Compressed(machine) => machine.to_dense().map(Cow::Owned),
        }
    }
}

impl From<Dense> for AnyMachine {
    fn from(machine: Dense) -> Self {
        AnyMachine::Dense(machine)
    }
}

impl From<Compressed> for AnyMachine {
    fn from(machine: Compressed) -> Self {
        AnyMachine::Compressed(machine)
    }
}

impl From<StoredDense> for AnyMachine {
    fn from(machine: StoredDense) -> Self {
        AnyMachine::StoredDense(machine)
    }
}

impl Machine for AnyMachine {
    type State = AnyState;

    #[inline]
    fn start(&self) -> AnyState {
        AnyState(match self {
            AnyMachine::Dense(machine) => machine.start().0,
            AnyMachine::StoredDense(machine) => machine.start(),
            AnyMachine::Compressed(machine) => machine.start().0,
        })
    }

    #[inline]
    fn next(&self, state: AnyState, letter: u32) -> Option<AnyState> {
        let next = match self {
            AnyMachine::Dense(machine) => machine.next(DenseState(state.0), letter)?.0,
            AnyMachine::StoredDense(machine) => machine.next(state.0, letter)?,
            AnyMachine::Compressed(machine) => machine.next(CompressedState(state.0), letter)?.0,
        };
        Some(AnyState(next))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::WordAutomaton;

    #[test]
    fn only_large_machines_that_can_be_are_compressed() {
        // All words without a letter twice in a row, over 60 letters: rows are much alike.
        let words = (0..60).map(|letter| [letter, letter]);
        let automaton = WordAutomaton::forbidding(60, words).unwrap();
        let machine = automaton.build().unwrap();
        let bytes = machine.bytes();
        let form = |above| AnyMachine::compressed_above(above, machine.clone()).unwrap();
        assert!(matches!(form(bytes), AnyMachine::Dense(_)));
        assert!(matches!(form(bytes - 1), AnyMachine::Compressed(_)));
        // One row is its own base, and nothing is gained.
        let lonely = WordAutomaton::new(60).build().unwrap();
        assert!(matches!(
            AnyMachine::compressed_above(0, lonely).unwrap(),
            AnyMachine::Dense(_)
        ));
    }
}
