//! Imports and exports compared with independent interpreters of the formats.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod breadth;
mod interpreter;
mod maps;
mod planning;
mod sas;
mod sas_errors;
mod sas_pieces;
mod sas_random;
mod soup;
mod twisty;
mod twisty_moves;
