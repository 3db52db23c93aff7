//! Commands that search, and what searches need and leave behind.

pub(super) mod apply;
pub(super) mod check_plan;
#[cfg(feature = "cluster")]
pub(super) mod cluster;
pub(super) mod demo;
pub(super) mod explore;
pub(super) mod gen_instances;
pub(super) mod pdb;
pub(in crate::commands) mod solve;
pub(super) mod tree;
