//! The connections between processes.

mod entrants;
mod frame;
mod handshake;
mod health;
mod inbound;
mod link;
mod mesh;

pub(crate) use health::Health;
pub(crate) use link::{Heart, Link};
pub(crate) use mesh::connect;
