//! Findings about the text itself, and changes of it.

pub(crate) mod comments;
pub(crate) mod fixes;
