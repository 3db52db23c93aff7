//! From words to machines, and from machines to smaller or stronger ones.

pub(crate) mod automaton;
pub(crate) mod dont_care;
pub(crate) mod minimize;
pub(crate) mod product;
pub(crate) mod sleep;
