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
mod maps;
mod memory;
mod on_disk;
mod oracle;
mod puzzles;
mod refusal;
mod sma;
mod symmetries;

/// Make a folder for files: in memory where there is such a place, since tests that make files by
/// the thousand wait for a disk most of the time.
fn folder() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm")
        .or_else(|_| tempfile::tempdir())
        .unwrap()
}
