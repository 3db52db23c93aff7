//! The server, asked over a socket as a browser would.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod answers;
mod client;
mod files;
mod guard;
mod large;
mod work;
