//! Estimates from games without anything that rules take away.

mod costs;
mod cuts;
mod idle;
pub(crate) mod landmark_cut;
pub(crate) mod landmarks;
pub(crate) mod pairs;
mod reached;
mod relaxed;
pub(crate) mod relaxed_costs;
pub(crate) mod triples;
