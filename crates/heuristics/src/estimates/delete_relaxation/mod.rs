//! Estimates from games without anything that rules take away.

mod costs;
mod cuts;
mod idle;
mod instances;
pub(crate) mod landmark_cut;
mod lists;
pub(crate) mod pairs;
mod reached;
mod relaxed;
pub(crate) mod relaxed_costs;
