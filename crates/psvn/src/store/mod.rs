//! Files: reading within limits, writing all or nothing, and the cache of results.

pub mod atomic;
pub mod read;
pub use heuristic_choice::tables::names as table_names;

pub(crate) use container::cache;
pub use container::cache::{Cache, KeptFile};

/// A key of the cache with the versions of the program and of its file formats only.
pub(crate) fn new_key() -> cache::Key {
    let mut key = cache::Key::default();
    key.push("psvn", env!("CARGO_PKG_VERSION"));
    key.push("machine files", fsm::FORMAT_VERSION);
    key
}
