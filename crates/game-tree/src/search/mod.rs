//! Minimax and AlphaBeta: what they share, as books give them, and as programs have them.

pub(crate) mod analysis;
pub(crate) mod book;
pub(crate) mod evaluator;
pub(crate) mod modern;
pub(crate) mod nutshell;
pub(crate) mod recorded;
pub(crate) mod score;
pub(crate) mod table;
pub(crate) mod walk;
