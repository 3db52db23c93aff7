//! The answers to what an editor asks, one module for each question.

pub(crate) mod actions;
pub(crate) mod completion;
mod describe;
pub(crate) mod edit;
pub(crate) mod hints;
pub(crate) mod hover;
pub(crate) mod layout;
pub(crate) mod navigation;
pub(crate) mod outline;
pub(crate) mod rename;
pub(crate) mod tokens;
