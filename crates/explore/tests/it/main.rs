//! Layers of whole spaces, beside other ways to count them and beside published numbers.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod between;
mod layers;
mod on_disk;
mod orbits;
mod published;
mod ranks;

use explore::{Options, Storage};
use psvn_ir::Game;

fn built_in(reference: &str) -> Game {
    let words: Vec<&str> = reference.split(':').collect();
    let text = domains::generate(words[0], &words[1..]).expect("a built-in game");
    psvn_ir::load(&text).game.expect("a game without errors")
}

fn with_storage(storage: Storage) -> Options<'static> {
    Options {
        storage,
        farthest: 3,
        ..Options::default()
    }
}

/// Make a folder for files: in memory where there is such a place, since tests that make files by
/// the thousand wait for a disk most of the time.
fn folder() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm")
        .or_else(|_| tempfile::tempdir())
        .expect("a folder for files")
}

/// Return the three storages. The folder must outlive the exploration.
fn storages(folder: &tempfile::TempDir) -> [Storage; 3] {
    [
        Storage::Ranked,
        Storage::Memory,
        Storage::Disk(folder.path().join("layers")),
    ]
}
