//! Files: reading within limits, writing all or nothing, and the cache of results.

pub mod atomic;
pub(crate) mod cache;
pub mod read;
pub mod table_names;

pub use self::cache::{Cache, KeptFile};
