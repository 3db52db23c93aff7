//! What a glance at a tree settles, and rows of the ideal tree.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod glance;
mod rows;
