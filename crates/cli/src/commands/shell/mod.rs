//! Commands for setting up a shell, an editor or a cluster.

pub(super) mod complete;
pub(super) mod completions;
#[cfg(feature = "lsp")]
pub(super) mod lsp;
pub(super) mod man;
#[cfg(feature = "cluster")]
pub(super) mod secret;
#[cfg(feature = "studio")]
pub(super) mod studio;
