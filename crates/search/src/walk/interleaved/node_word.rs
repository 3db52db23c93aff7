//! The data of a node in an interleaved walk besides its packed state, in one word of 64 bits.
//!
//! From the top: the excess of its estimated total cost over the bound, less one, so that the word
//! of a node within the bound is negative (30 bits); its depth below the top of the interleaved
//! walk (10 bits); and the place of its plan state, in bytes, with the number of the rule that led
//! to it in the lowest four bits (24 bits). The word of a child is a sum: the rule's change of the
//! estimate, one for the depth, and the new place.

/// The limit of the places of plan states: all are below it.
pub(super) const MAX_PLAN_STATE_BYTES: usize = 1 << DEPTH_SHIFT;

/// The number of levels of an interleaved walk.
pub(super) const N_LEVELS: usize = 512;

const DEPTH_SHIFT: u32 = 24;
const EXCESS_SHIFT: u32 = 34;

/// The maximum by which a rule changes the estimated total cost.
pub(super) const MAX_DIFFERENCE: u32 = 1 << 18;

/// The maximum distance below the bound at which an interleaved walk begins. On its way the
/// estimate can fall further, once for each level: the excess is never below -2^29.
pub(super) const MAX_SLACK: u64 = 1 << 28;

const _: () = assert!(MAX_SLACK + (N_LEVELS as u64 + 1) * (MAX_DIFFERENCE as u64) < 1 << 29);
const _: () = assert!(N_LEVELS <= 1 << (EXCESS_SHIFT - DEPTH_SHIFT));

/// The addend of a missing rule: it lifts any estimate above the bound, by more than any rule can
/// undo.
pub(super) const NEVER: u64 = ((1 << 29) - 1) << EXCESS_SHIFT;

/// Return the addend of a rule.
pub(super) fn difference(difference: i64) -> u64 {
    (difference << EXCESS_SHIFT) as u64
}

/// Return the word of a node at depth 0 that is within the bound by `slack`.
pub(super) fn top(slack: u64, place: u64) -> u64 {
    difference(-1 - slack as i64) | place
}

/// Return whether a node is within the bound.
#[inline(always)]
pub(super) fn is_within(word: u64) -> bool {
    (word as i64) < 0
}

/// Return by how much a node's estimated total cost exceeds the bound; negative or 0 within it.
#[inline(always)]
pub(super) fn above_bound(word: u64) -> i64 {
    (word as i64 >> EXCESS_SHIFT) + 1
}

/// Return the place of the plan state, in bytes.
#[inline(always)]
pub(super) fn place(word: u64) -> usize {
    word as usize & (MAX_PLAN_STATE_BYTES - 16)
}

/// Return the number of the rule that led to a node, in the list of its parent.
#[inline(always)]
pub(super) fn child_number(word: u32) -> u32 {
    word & 15
}

/// Return the depth.
#[inline(always)]
pub(super) fn depth(word: u64) -> usize {
    (word >> DEPTH_SHIFT) as usize & (N_LEVELS - 1)
}

/// Return the word without the place, one level deeper.
#[inline(always)]
pub(super) fn deeper(word: u64) -> u64 {
    (word & !(MAX_PLAN_STATE_BYTES as u64 - 1)).wrapping_add(1 << DEPTH_SHIFT)
}
