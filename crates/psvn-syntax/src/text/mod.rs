//! From bytes to words, arrows and comments.
//!
//! The module `tokens` is what logos makes of `tokens.logos`:
//! `cargo run --locked -p psvn-grammar` writes it.

pub(crate) mod decode;
pub(crate) mod foreign_comments;
pub(crate) mod keyword;
pub(crate) mod lexer;
pub(crate) mod wording;

#[allow(
    clippy::all,
    clippy::semicolon_if_nothing_returned,
    unused,
    reason = "logos writes this code"
)]
pub(crate) mod tokens;
