//! Finds rule sequences that are provably redundant.
