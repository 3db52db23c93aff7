//! The states that a search has stored, and what is known of each.

pub(crate) mod batch;
pub(crate) mod column;
pub(crate) mod costs;
pub(crate) mod index;
pub(crate) mod layers;
pub(crate) mod nodes;
pub(crate) mod store;
pub(crate) mod trace;
