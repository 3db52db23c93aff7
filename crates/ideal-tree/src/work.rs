//! The limits of a comparison.

use std::cell::Cell;

use budget::{Limits, StopReason, Watch};

/// The limits of a comparison, and its remaining steps.
pub(crate) struct Work {
    watch: Watch,
    steps_left: Cell<u64>,
    /// The steps since the clock was last read.
    unchecked: Cell<usize>,
}

/// The number of steps between two looks at the clock.
const STEPS_BETWEEN_CHECKS: usize = 1 << 14;

impl Work {
    pub(crate) fn new(limits: Limits, steps: u64) -> Self {
        Self {
            watch: Watch::new(limits),
            steps_left: Cell::new(steps),
            unchecked: Cell::new(0),
        }
    }

    /// Return the steps that are left.
    pub(crate) fn steps_left(&self) -> u64 {
        self.steps_left.get()
    }

    /// Take some steps. Now and then, compare the time with its limit.
    pub(crate) fn step(&self, steps: usize) -> Result<(), StopReason> {
        self.unchecked.update(|unchecked| unchecked + steps);
        if self.unchecked.get() >= STEPS_BETWEEN_CHECKS {
            self.unchecked.set(0);
            self.watch.check_resources(0)?;
        }
        let left = self.steps_left.get().checked_sub(steps as u64);
        self.steps_left.set(left.unwrap_or(0));
        left.map(drop).ok_or(StopReason::Nodes)
    }

    /// Compare the usage with the limits.
    pub(crate) fn check(&self, nodes: u64, bytes: usize) -> Result<(), StopReason> {
        self.watch.check(nodes, bytes)
    }
}
