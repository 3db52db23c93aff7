//! Tables against brute force, published distributions and searches.

#![allow(clippy::unwrap_used, reason = "a test may panic")]
#![allow(clippy::print_stdout, reason = "the long tests say how long they take")]

mod coordinates;
mod distributions;
mod expanders;
mod files;
mod further_lookups;
mod pieces;
mod random_games;
mod reach;
mod store;
mod sums;
mod support;
mod ways_to_build;
