//! Machines of any type behind one type.

use std::fmt;
use std::sync::Arc;

use crate::machine::{Machine, MachineState};

/// A shared machine of any type: its states are numbers, and a clone is the same machine.
///
/// Code that uses it doesn't depend on the type of the machine. A step costs an indirect call.
///
/// ```
/// use fsm::{Machine, SharedMachine, WordAutomaton};
///
/// let machine = WordAutomaton::forbidding(2, [[0, 1]])?.build()?;
/// let shared = SharedMachine::new(machine);
/// let state = shared.next(shared.start(), 0).expect("a single letter is allowed");
/// assert_eq!(shared.next(state, 1), None);
/// # Ok::<(), fsm::BuildError>(())
/// ```
#[derive(Clone)]
pub struct SharedMachine(Arc<dyn Numbered>);

impl SharedMachine {
    /// Share a machine, which may also be an [`Arc`] of one.
    pub fn new(machine: impl Machine + Send + 'static) -> Self {
        Self(Arc::new(machine))
    }
}

impl fmt::Debug for SharedMachine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedMachine").finish_non_exhaustive()
    }
}

impl Machine for SharedMachine {
    type State = u32;

    #[inline]
    fn start(&self) -> u32 {
        self.0.first()
    }

    #[inline]
    fn next(&self, state: u32, letter: u32) -> Option<u32> {
        self.0.after(state, letter)
    }
}

/// A machine whose states are represented by their numbers.
trait Numbered: Send + Sync {
    /// [`Machine::start`].
    fn first(&self) -> u32;

    /// [`Machine::next`].
    fn after(&self, state: u32, letter: u32) -> Option<u32>;
}

impl<M: Machine + Send> Numbered for M {
    fn first(&self) -> u32 {
        self.start().number()
    }

    fn after(&self, state: u32, letter: u32) -> Option<u32> {
        let next = self.next(M::State::of_number(state), letter)?;
        Some(next.number())
    }
}
