//! Programs in C, written for the exported interface, are compiled and run: their counts and
//! solutions must agree with the library.
//!
//! The compiler is `$CC`, or `cc`. Without one, the tests report that and pass. The same in Rust,
//! by `$RUSTC` or `rustc`.

#![allow(clippy::unwrap_used, reason = "a test may panic")]
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "skipped tests say so, and the measurement prints"
)]

mod compare;
mod compiler;
mod games;
mod interface;
mod oracle;
mod random;
mod refusals;
mod rust;
mod speed;
mod text;
