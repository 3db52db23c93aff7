//! Layers of whole spaces, beside other ways to count them and beside published numbers.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod layers;
mod published;
