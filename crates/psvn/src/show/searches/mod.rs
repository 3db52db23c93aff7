//! Results of searches.

mod counts;
mod exploration;
mod plan;
mod series;
mod steps;
mod tables;
mod tree;

pub use self::steps::{Way, show_way};
