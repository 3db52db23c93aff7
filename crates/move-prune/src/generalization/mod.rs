//! The search for a kept sequence that generalizes another: sets of demands, and the index over
//! them.

pub(crate) mod closed;
pub(crate) mod demands;
pub(crate) mod pool;
pub(crate) mod retrieval;
