//! The parts that are the same for all games.

/// Headers, and `ssize_t` where it is missing.
pub(super) const INCLUDES: &str = include_str!("runtime/includes.c");

/// States: copying, comparing, hashing, raw form.
pub(super) const STATES: &str = include_str!("runtime/states.c");

/// States as text.
pub(super) const STATE_TEXT: &str = include_str!("runtime/state_text.c");

/// The list of all goal states.
pub(super) const GOAL_STATES: &str = include_str!("runtime/goal_states.c");

/// Going on in a list of rules.
pub(super) const LISTED_RULES: &str = include_str!("runtime/listed_rules.c");

/// The lowest element of a set of 64.
pub(super) const LOWEST_BIT: &str = include_str!("runtime/lowest_bit.c");

/// Tables from states to numbers.
pub(super) const STATE_MAP: &str = include_str!("runtime/state_map.c");

/// Abstractions.
pub(super) const ABSTRACTION: &str = include_str!("runtime/abstraction.c");
