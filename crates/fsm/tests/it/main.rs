//! Tests of the crate's public interface.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod compressed;
mod dont_care;
mod files;
mod open;
mod support;
