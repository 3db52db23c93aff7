//! Commands that search, and those about instances and solutions.

pub(super) mod apply;
pub(super) mod check_plan;
#[cfg(feature = "cluster")]
pub(super) mod cluster;
pub(super) mod demo;
pub(super) mod explore;
pub(super) mod gen_instances;
pub(super) mod pdb;
pub(in crate::commands) mod solve;
pub(in crate::commands) mod tree;
