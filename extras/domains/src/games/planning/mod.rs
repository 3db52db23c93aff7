//! Domains of the planning competitions.

pub(crate) mod blocks;
pub(crate) mod gripper;
pub(crate) mod logistics;
