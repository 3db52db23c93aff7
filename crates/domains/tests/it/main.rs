//! The generators through the crate's front door.

mod reads_cleanly;
mod snapshots;
mod structure;
