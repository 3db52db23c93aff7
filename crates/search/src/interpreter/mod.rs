//! The interpreter: tests all rules in all states, one after the other.
//!
//! It serves games whose states are too wide for registers, and as the reference for the walks by a
//! plan.

pub(crate) mod engine;
pub(crate) mod learning;
pub(crate) mod tasks;
