//! The limits of a comparison.

use std::cell::Cell;

use budget::{Limits, StopReason, Watch};

/// The limits of a comparison, and its remaining steps.
pub(crate) struct Work {
    watch: Watch,
    steps_left: Cell<u64>,
}

impl Work {
    pub(crate) fn new(limits: Limits, steps: u64) -> Self {
        Self {
            watch: Watch::new(limits),
            steps_left: Cell::new(steps),
        }
    }

    /// Return the steps that are left.
    pub(crate) fn steps_left(&self) -> u64 {
        self.steps_left.get()
    }

    /// Take some steps.
    pub(crate) fn step(&self, steps: usize) -> Result<(), StopReason> {
        let left = self.steps_left.get().checked_sub(steps as u64);
        self.steps_left.set(left.unwrap_or(0));
        left.map(drop).ok_or(StopReason::Nodes)
    }

    /// Compare the usage with the limits.
    pub(crate) fn check(&self, nodes: u64, bytes: usize) -> Result<(), StopReason> {
        self.watch.check(nodes, bytes)
    }
}
