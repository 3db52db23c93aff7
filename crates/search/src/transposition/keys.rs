//! The keys of a table's entries. An entry serves the nodes with its state at all machine states
//! that allow no more than its own.

use fsm::{Machine, SharedMachine};

use crate::transposition::inclusion::Inclusions;

/// The numbering of machine states for a table, and the relation "a bound learned here holds there"
/// between them.
#[derive(Clone, Copy)]
pub(crate) enum Keys<'m> {
    /// Bounds learned at a machine state also serve those that allow no more.
    Inclusion(&'m Inclusions),
    /// Bounds learned at a machine state serve only this one.
    Exact(&'m SharedMachine),
    /// Every bound serves every machine state, which is wrong. For the test that shows it.
    #[cfg(test)]
    StateOnly(&'m SharedMachine),
}

impl Keys<'_> {
    /// Return the machine's first state.
    pub(crate) fn start(&self) -> u32 {
        match self {
            Keys::Inclusion(machine) => machine.start(),
            Keys::Exact(machine) => machine.start(),
            #[cfg(test)]
            Keys::StateOnly(machine) => machine.start(),
        }
    }

    /// Return the state after a letter that the machine allows.
    #[inline]
    pub(crate) fn next(&self, state: u32, letter: u32) -> u32 {
        let next = match self {
            Keys::Inclusion(machine) => machine.next(state, letter),
            Keys::Exact(machine) => machine.next(state, letter),
            #[cfg(test)]
            Keys::StateOnly(machine) => machine.next(state, letter),
        };
        next.expect("no walk takes a rule that its machine forbids")
    }

    /// Return whether a bound learned at a machine state holds at another one, for the same state
    /// of the game.
    #[inline]
    pub(crate) fn serves(&self, stored: u32, visitor: u32) -> bool {
        stored == visitor
            || match self {
                Keys::Inclusion(inclusions) => inclusions.includes(stored, visitor),
                Keys::Exact(_) => false,
                #[cfg(test)]
                Keys::StateOnly(_) => true,
            }
    }
}
