//! The heuristics, one per module.

pub(crate) mod abstractions;
pub(crate) mod counts;
pub(crate) mod delete_relaxation;
pub(crate) mod evaluators;
pub(crate) mod gap;
pub(crate) mod linear_conflict;
pub(crate) mod lists;
pub(crate) mod manhattan;
pub(crate) mod potentials;
pub(crate) mod sums;
