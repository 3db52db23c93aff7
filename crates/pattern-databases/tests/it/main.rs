//! Tables against brute force, published distributions and searches.

#![allow(clippy::unwrap_used, reason = "a test may panic")]
#![allow(clippy::print_stdout, reason = "the long tests say how long they take")]

mod distributions;
mod files;
mod further_lookups;
mod pieces;
mod random_games;
mod store;
mod sums;
mod support;
