//! Small parts that all crates share and that know nothing of games.

pub(crate) mod disjoint_sets;
pub(crate) mod near;
pub mod random;
