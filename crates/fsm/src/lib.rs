//! Machines that forbid words: table, Aho-Corasick, minimized.
//!
//! This crate knows letters, not rules: a letter is a number, a word is a slice of letters.

mod machine;

pub use machine::{Machine, Unrestricted};
