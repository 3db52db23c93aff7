//! The interpreter: tests all rules in all states, one after the other.
//!
//! It serves games whose states are too wide for registers, and as the reference for the walks by a
//! plan. `traced` does the same for searches that keep states: it is made for pictures of them.

pub(crate) mod engine;
pub(crate) mod learning;
pub(crate) mod tasks;
pub(crate) mod traced;
