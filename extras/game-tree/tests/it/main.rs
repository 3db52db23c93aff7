//! Game trees compared with plain Minimax by the rules, and with published figures.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod agreement;
mod figures;
mod oracle;
mod pruning;
mod sample_trees;
mod selective;
mod solving;
mod turns;
