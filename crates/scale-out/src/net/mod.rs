//! The connections between processes.

mod frame;
mod handshake;
mod health;
mod inbound;
mod link;
mod mesh;

pub(crate) use health::Health;
pub(crate) use link::{Heart, Link};
pub(crate) use mesh::connect;
