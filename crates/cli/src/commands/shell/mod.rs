//! Commands for setting up a shell.

pub(super) mod complete;
pub(super) mod completions;
pub(super) mod man;
