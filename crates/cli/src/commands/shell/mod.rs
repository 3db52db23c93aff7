//! Commands for setting up a shell or a cluster.

pub(super) mod complete;
pub(super) mod completions;
pub(super) mod man;
#[cfg(feature = "cluster")]
pub(super) mod secret;
