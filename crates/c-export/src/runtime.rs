//! The parts that are the same for all games.

/// Headers, and `ssize_t` where it is missing.
pub(crate) const INCLUDES: &str = include_str!("runtime/includes.c");

/// States: copying, comparing, hashing, raw form.
pub(crate) const STATES: &str = include_str!("runtime/states.c");

/// States as text.
pub(crate) const STATE_TEXT: &str = include_str!("runtime/state_text.c");

/// The lowest element of a set of 64.
pub(crate) const LOWEST_BIT: &str = include_str!("runtime/lowest_bit.c");

/// Tables from states to numbers.
pub(crate) const STATE_MAP: &str = include_str!("runtime/state_map.c");

/// Abstractions.
pub(crate) const ABSTRACTION: &str = include_str!("runtime/abstraction.c");
