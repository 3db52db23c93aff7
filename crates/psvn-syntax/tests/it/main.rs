//! The parser and the formatter through the crate's front door.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod corpus;
mod grammar;
mod render;
mod soup;
