//! Shared by the benches: a clock of processor time, and contestants that run in turns.
//!
//! The benches are a separate package, so that `cargo test` compiles neither them nor the packages
//! that only they need.

pub mod clock;
pub mod rounds;
