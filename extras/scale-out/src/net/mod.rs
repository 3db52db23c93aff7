//! The connections between processes.

mod entrants;
mod frame;
mod handshake;
mod health;
mod link;
mod mesh;
mod messages;

pub(crate) use health::Health;
pub(crate) use link::{Heart, Link};
pub(crate) use mesh::connect;
pub(crate) use messages::{receive, send};
