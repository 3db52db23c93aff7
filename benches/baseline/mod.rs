//! Searches for one game each, as one would write them by hand: no rules, no tests, no interpreter.

mod pancakes;
mod topspin;

pub(crate) use pancakes::Pancakes;
pub(crate) use topspin::TopSpin;
