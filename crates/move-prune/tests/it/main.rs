//! Analyses of the rules, of goals, and of operators.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod analysis;
mod goals;
mod operators;
