//! Conventions of the project that no tool checks.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;
use std::path::{Path, PathBuf};

mod imports;
mod layers;
mod options;
mod readmes;
mod style;
mod testing;

/// The folder of the project.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Where crates are: the core, and what stands beside it.
const HOMES: [&str; 2] = ["crates", "extras"];

/// The folders of all crates.
fn crate_folders() -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = HOMES
        .iter()
        .flat_map(|home| fs::read_dir(root().join(home)).unwrap())
        .map(|entry| entry.unwrap().path())
        .collect();
    folders.sort();
    folders
}

/// The folder of the crate that is called so there.
fn crate_folder(name: &str) -> Option<PathBuf> {
    crate_folders()
        .into_iter()
        .find(|folder| folder.ends_with(name))
}
