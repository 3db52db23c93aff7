//! Support code that the cross-crate tests and benches share.
