//! Tests of the generators through the public API.

mod options;
mod reads_cleanly;
mod snapshots;
mod structure;
