//! What the benches share: a clock of processor time, and contestants that run in turns.
//!
//! The benches are a package of their own, so that `cargo test` compiles neither them nor what only
//! they need.

pub mod clock;
pub mod rounds;
