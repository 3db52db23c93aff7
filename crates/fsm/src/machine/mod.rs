//! The trait through which searches know machines.

pub(crate) mod any;
pub(crate) mod bases;
pub(crate) mod bytes;
pub(crate) mod compressed;
pub(crate) mod dense;
pub(crate) mod relabeled;
pub(crate) mod rows;
pub(crate) mod stored_dense;

use std::fmt::Debug;
use std::hash::Hash;
use std::sync::Arc;

/// A deterministic automaton that reads a word letter by letter and says when to stop.
///
/// Its language is closed under prefixes: once a word is forbidden, so is everything that begins
/// with it. A search that runs beside it keeps one state for each node of its path.
pub trait Machine: Sync {
    /// What the machine remembers of the word that it has read.
    type State: Copy + Eq + Hash + Debug + Send + Sync;

    /// The state before the first letter.
    fn start(&self) -> Self::State;

    /// The state after one more letter, or `None` when the word is forbidden now.
    ///
    /// Letters are counted from 0. Constant time.
    fn next(&self, state: Self::State, letter: u32) -> Option<Self::State>;
}

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
