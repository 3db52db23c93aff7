//! Walks of the tree below a start within a bound.

pub(crate) mod all;
pub(crate) mod by_book;
pub(crate) mod by_cost;
pub(crate) mod by_depth;
