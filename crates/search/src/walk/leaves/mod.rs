//! The last plies of a tree, made without visiting the nodes one by one.

pub(crate) mod by_sets;
pub(crate) mod last;
pub(crate) mod unconditional;
