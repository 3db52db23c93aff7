//! The costs of operators shared among abstractions, so that their estimates may be added.

mod orders;
mod priorities;
mod saturated;
pub(crate) mod sums;
pub(crate) mod transition_system;
