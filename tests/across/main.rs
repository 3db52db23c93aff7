//! Tests across the crates. One program holds them all, since each further program would compile
//! the searches again.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod composition;
mod figures;
mod fuzz;
mod safety;
mod safety_proofs;
mod soak;
mod table4;
