//! Tests of the parser and the formatter through the public API.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod corpus;
mod render;
mod soup;
