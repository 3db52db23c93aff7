//! Reachable facts and pairs of facts, by fixpoints over the rules.

pub(crate) mod closure;
mod pairs;
pub(crate) mod refuter;
mod shapes;
