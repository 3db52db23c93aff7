//! Tests of the crate's public interface.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod comparisons;
mod exports;
mod findings;
mod laws;
mod page;
mod plots;
mod published;
mod results;
mod runs;
mod xml;
