//! What making a heuristic may cost.

use std::cell::Cell;

use budget::{StopReason, Watch};

use crate::refusal::Refusal;

/// The limits on making heuristics, and the steps that were made.
pub(crate) struct Effort<'a> {
    watch: &'a Watch,
    /// The steps so far: each is about a look at one term of a rule, or at one fact.
    steps: Cell<u64>,
}

impl<'a> Effort<'a> {
    /// Begin to count the steps, which the limit on nodes limits.
    pub(crate) fn within(watch: &'a Watch) -> Self {
        Self {
            watch,
            steps: Cell::new(0),
        }
    }

    /// Add steps that are about to be made, while this number of bytes is held.
    ///
    /// # Errors
    /// [`Refusal::Stopped`] if a limit is reached.
    pub(crate) fn spend(&self, steps: usize, bytes: usize) -> Result<(), Refusal> {
        let before = self.steps.get();
        self.steps.set(before.saturating_add(steps as u64));
        let stopped = |reason| Refusal::Stopped { reason };
        self.watch.check(before, bytes).map_err(stopped)
    }

    /// Compare the time and the bytes that are held with their limits, for work whose steps aren't
    /// counted.
    ///
    /// # Errors
    /// [`Refusal::Stopped`] if a limit is reached.
    pub(crate) fn check(&self, bytes: usize) -> Result<(), Refusal> {
        let stopped = |reason| Refusal::Stopped { reason };
        self.watch.check_resources(bytes).map_err(stopped)
    }

    /// Return whether as many bytes may be held, for work that may end earlier without them.
    ///
    /// # Errors
    /// [`Refusal::Stopped`] if another limit is reached.
    pub(crate) fn has_room(&self, bytes: usize) -> Result<bool, Refusal> {
        match self.check(bytes) {
            Err(Refusal::Stopped {
                reason: StopReason::Memory,
            }) => Ok(false),
            checked => checked.map(|()| true),
        }
    }
}
