//! The trait through which searches use machines.

pub(crate) mod any;
pub(crate) mod bases;
pub(crate) mod bytes;
pub(crate) mod compressed;
pub(crate) mod dense;
pub(crate) mod differences;
pub(crate) mod over_rules;
pub(crate) mod relabeled;
pub(crate) mod shared;
pub(crate) mod stored_dense;

use std::fmt::Debug;
use std::hash::Hash;
use std::num::NonZeroU32;
use std::sync::Arc;

/// A deterministic automaton that reads a word letter by letter and forbids some words.
///
/// Its language is closed under prefixes: once a word is forbidden, so is every word that begins
/// with it. A search that runs beside it keeps one state for each node of its path.
pub trait Machine: Sync {
    /// The machine's memory of the word that it has read.
    type State: MachineState;

    /// Return the state before the first letter.
    fn start(&self) -> Self::State;

    /// Return the state after one more letter, or `None` when the word is forbidden now.
    ///
    /// Letters are counted from 0. Constant time.
    fn next(&self, state: Self::State, letter: u32) -> Option<Self::State>;
}

/// A state of a [`Machine`]: a number in a type of its machine.
pub trait MachineState: Copy + Eq + Hash + Debug + Send + Sync {
    /// Return the number of the state. Different states have different numbers.
    fn number(self) -> u32;

    /// Return the state with a number from [`number`](Self::number).
    fn of_number(number: u32) -> Self;
}

impl MachineState for () {
    #[inline]
    fn number(self) -> u32 {
        0
    }

    #[inline]
    fn of_number(_number: u32) {}
}

impl MachineState for u32 {
    #[inline]
    fn number(self) -> u32 {
        self
    }

    #[inline]
    fn of_number(number: u32) -> u32 {
        number
    }
}

impl MachineState for NonZeroU32 {
    #[inline]
    fn number(self) -> u32 {
        self.get()
    }

    /// # Panics
    /// When the number is 0, which no state has.
    #[inline]
    fn of_number(number: u32) -> Self {
        NonZeroU32::new(number).expect("the number of a state")
    }
}

/// Implement [`MachineState`] for a type that holds nothing but another state.
macro_rules! state_of {
    ($state:ident) => {
        impl $crate::machine::MachineState for $state {
            #[inline]
            fn number(self) -> u32 {
                self.0.number()
            }

            #[inline]
            fn of_number(number: u32) -> Self {
                Self($crate::machine::MachineState::of_number(number))
            }
        }
    };
}
use state_of;

/// The machine that forbids nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unrestricted;

impl Machine for Unrestricted {
    type State = ();

    #[inline]
    fn start(&self) {}

    #[inline]
    fn next(&self, (): (), _letter: u32) -> Option<()> {
        Some(())
    }
}

impl<M: Machine> Machine for &M {
    type State = M::State;

    #[inline]
    fn start(&self) -> Self::State {
        (**self).start()
    }

    #[inline]
    fn next(&self, state: Self::State, letter: u32) -> Option<Self::State> {
        (**self).next(state, letter)
    }
}

impl<M: Machine + Send> Machine for Arc<M> {
    type State = M::State;

    #[inline]
    fn start(&self) -> Self::State {
        (**self).start()
    }

    #[inline]
    fn next(&self, state: Self::State, letter: u32) -> Option<Self::State> {
        (**self).next(state, letter)
    }
}
