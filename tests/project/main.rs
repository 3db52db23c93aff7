//! Conventions of the project that no tool checks.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod imports;
mod layers;
mod options;
mod readmes;
mod style;
