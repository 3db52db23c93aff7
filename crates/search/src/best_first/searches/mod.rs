//! The searches themselves.

pub(crate) mod a_star;
pub(crate) mod beam;
pub(crate) mod bfs;
pub(crate) mod bidirectional;
pub(crate) mod dfs_closed;
pub(crate) mod nutshell;
pub(crate) mod on_disk;
pub(crate) mod sma;
