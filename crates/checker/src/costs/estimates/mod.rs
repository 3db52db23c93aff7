//! Heuristics, proved consistent.

pub(crate) mod abstraction;
pub(crate) mod heuristic;
pub(crate) mod potential;
pub(crate) mod table;
