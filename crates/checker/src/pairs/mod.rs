//! Claims about two rules: that one can't follow another, and that they may change places.

pub(crate) mod successions;
pub(crate) mod swaps;
