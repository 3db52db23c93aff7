//! Machine files, described and carried over to other games.

pub(crate) mod description;
mod growth;
pub(crate) mod transfer;
