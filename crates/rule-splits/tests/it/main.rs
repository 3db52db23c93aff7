//! Splits as their users choose them: what they gain, and that they lose nothing.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod known;
mod limit;
mod order;
mod proofs;
mod safety;
mod splits;
