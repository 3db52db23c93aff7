//! The stored states of a search, with their costs and parents.

pub(crate) mod batch;
pub(crate) mod column;
pub(crate) mod costs;
pub(crate) mod index;
pub(crate) mod layers;
pub(crate) mod nodes;
pub(crate) mod prefetch;
pub(crate) mod states;
pub(crate) mod store;
pub(crate) mod trace;
