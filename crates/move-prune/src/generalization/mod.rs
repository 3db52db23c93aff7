//! Which kept sequence generalizes another one: sets of demands, and where they are looked up.

pub(crate) mod closed;
pub(crate) mod demands;
pub(crate) mod pool;
pub(crate) mod retrieval;
