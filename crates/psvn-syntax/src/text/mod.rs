//! From bytes to words, arrows and comments.

pub(crate) mod decode;
pub(crate) mod foreign_comments;
pub(crate) mod keyword;
pub(crate) mod lexer;
pub(crate) mod wording;
