//! Tests of the searches through their public interface.
#![allow(
    clippy::unwrap_used,
    reason = "helpers of tests fail by panicking, as the tests do"
)]

mod all_solutions;
mod batches;
mod blocks;
mod bounds;
mod compiled;
mod count;
mod games;
mod hand_out;
mod interleaved;
mod limits;
mod packed;
mod plans;
mod searcher;
mod solve;
mod table;
mod threads;
