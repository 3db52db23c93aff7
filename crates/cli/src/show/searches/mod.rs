//! Results of searches.

mod counts;
pub(crate) mod exploration;
mod plan;
pub(crate) mod series;
mod steps;
mod tables;
mod tree;

pub(crate) use self::plan::show_plan_states;
pub(crate) use self::steps::{Way, show_boards, show_way};
