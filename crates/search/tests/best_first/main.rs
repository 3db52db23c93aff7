//! Searches with duplicate detection, through their public interface.
#![allow(
    clippy::unwrap_used,
    reason = "helpers of tests fail by panicking, as the tests do"
)]

mod agreement;
mod allocator;
mod chapter;
mod costs;
mod depths;
mod goals;
mod groups;
mod limits;
mod memory;
mod on_disk;
mod oracle;
mod puzzles;
mod refusal;
mod symmetries;
