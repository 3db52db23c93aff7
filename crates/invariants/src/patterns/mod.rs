//! What invariants say of a vector of terms: whether some state may match it, and what they imply.

pub(crate) mod closing;
pub(crate) mod memo;
pub(crate) mod tables;
