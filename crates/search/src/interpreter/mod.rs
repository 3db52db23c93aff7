//! A search by the book: tests all rules in all states, one after the other.
//!
//! It serves games whose states are too wide for registers, and as what the walks by a plan are
//! compared with.

pub(crate) mod engine;
pub(crate) mod learning;
pub(crate) mod tasks;
