//! Results of searches.

mod counts;
pub(crate) mod exploration;
mod plan;
#[cfg(feature = "experiments")]
mod plot;
pub(crate) mod series;
mod steps;
mod tables;
mod tree;
mod tree_rows;
mod units;

pub(crate) use self::plan::show_plan_states;
#[cfg(feature = "experiments")]
pub(crate) use self::plot::exploration_plot;
pub(crate) use self::steps::{Way, show_boards, show_way};
