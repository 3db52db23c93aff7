//! Searches for one game each, written by hand: no rules, no tests, no interpreter.
//!
//! There are two kinds: plain programs that move values in an array, and programs that make several
//! children at once in the registers of AVX-512. All of them make every node of the tree, and
//! compare every node of the deepest ply with the goal.

mod cubies;
mod fifteen;
mod last_move;
mod lines;
mod pancakes;
mod topspin;

pub(crate) use cubies::{pocket_cube, rubiks_cube};
pub(crate) use fifteen::{Fifteen, fifteen_in_lines};
pub(crate) use lines::available;
pub(crate) use pancakes::{Pancakes, pancakes_in_lines};
pub(crate) use topspin::{TopSpin, topspin_in_lines};

/// The result of counting a tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// The nodes down to the depth, the root included.
    pub(crate) nodes: u64,
    /// The nodes of the deepest ply that are goals.
    pub(crate) goals: u64,
}
