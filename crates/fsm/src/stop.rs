//! Long computations that ask now and then whether to stop.

use std::cell::Cell;

/// A caller had a computation stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it was stopped")]
pub struct Stopped;

/// The steps between two questions: about a millisecond.
const STEPS_BETWEEN_QUESTIONS: usize = 1 << 18;

/// Asks whether to stop, as often as the steps are worth it.
pub(crate) struct Stop<'a> {
    wanted: &'a dyn Fn() -> bool,
    /// The steps since the last question.
    steps: Cell<usize>,
}

impl<'a> Stop<'a> {
    pub(crate) fn when(wanted: &'a dyn Fn() -> bool) -> Self {
        Self {
            wanted,
            steps: Cell::new(STEPS_BETWEEN_QUESTIONS),
        }
    }

    /// Count steps, each a look at an entry of a table, that are about to be made.
    ///
    /// # Errors
    /// If the caller wants to stop.
    pub(crate) fn count(&self, steps: usize) -> Result<(), Stopped> {
        let steps = self.steps.get().saturating_add(steps);
        if steps < STEPS_BETWEEN_QUESTIONS {
            self.steps.set(steps);
            return Ok(());
        }
        self.steps.set(0);
        if (self.wanted)() {
            Err(Stopped)
        } else {
            Ok(())
        }
    }
}
