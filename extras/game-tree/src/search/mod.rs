//! Minimax and AlphaBeta: the common part, textbook versions, and modern versions.

pub(crate) mod analysis;
pub(crate) mod beyond;
pub(crate) mod book;
pub(crate) mod evaluator;
pub(crate) mod modern;
pub(crate) mod nutshell;
pub(crate) mod recorded;
pub(crate) mod score;
pub(crate) mod table;
pub(crate) mod unquiet;
pub(crate) mod walk;
