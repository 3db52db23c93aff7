//! The generators through the crate's front door.

mod options;
mod reads_cleanly;
mod snapshots;
mod structure;
