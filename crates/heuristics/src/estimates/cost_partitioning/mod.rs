//! The costs of operators shared among abstractions, so that their estimates may be added.

pub(crate) mod orders;
mod saturated;
pub(crate) mod transition_system;
