//! Patterns of coordinates that are worth trying.
