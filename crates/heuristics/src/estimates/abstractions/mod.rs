//! Abstractions that are made from the rules, and estimates from several of them.

pub(crate) mod cartesian;
mod cost_partitioning;
pub(crate) mod merge_and_shrink;
mod operators;
pub(crate) mod projections;
