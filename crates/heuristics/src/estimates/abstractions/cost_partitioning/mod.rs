//! The costs of operators shared among abstractions, so that their estimates may be added.

mod orders;
mod priorities;
mod saturated;
pub(super) mod summed;
mod sums;
pub(super) mod transition_system;
