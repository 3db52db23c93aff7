//! Entry points: searches set up once and run on any number of start states.

pub(crate) mod bounded;
pub(crate) mod least_cost;
pub(crate) mod levels;
pub(crate) mod packed;
pub(crate) mod planned;
pub(crate) mod prepared;
pub(crate) mod replay;
pub(crate) mod run;
pub(crate) mod searcher;
