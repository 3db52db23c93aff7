//! Habits of the project that no tool checks.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod layers;
mod readmes;
mod style;
