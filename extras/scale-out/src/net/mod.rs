//! The connections between processes.

mod channel;
mod entrants;
mod handshake;
mod health;
mod link;
mod mesh;
#[cfg(test)]
mod testing;

pub(crate) use health::Health;
pub(crate) use link::{Heart, Link};
pub(crate) use mesh::connect;
