//! Machines, explored beside recognizers of this crate.

mod asleep;
pub(crate) mod automaton;
pub(crate) mod recognizer;
