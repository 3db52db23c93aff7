//! The rows of an interleaved walk's tables: what a plan state means for the nodes in it.

use bytemuck::{Pod, Zeroable};

use crate::kernel::ahead::{Lanes, N_LANES, Pattern};

/// The maximum number of rules of a plan state of an interleaved walk.
pub(super) const MAX_CHILDREN: usize = N_LANES;

/// A node that is visited after the one above it: one or two rules below.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Heir {
    /// Where the change of its rules is, in bytes.
    pub(super) change: u32,
    /// The place of its plan state's row, in bytes.
    pub(super) row: u32,
}

/// A plan state. Its *heirs* are the nodes that are visited after a node in it: grandchildren; or
/// children, if these may be goals, or if there are too many grandchildren.
///
/// Missing heirs repeat the last one, so that they change no least estimate.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C, align(64))]
pub(super) struct Row {
    /// For the first one of the heirs below a child: the [`Counted`] numbers of the child. The
    /// others have 0.
    pub(super) counts: Lanes,
    pub(super) pattern: Pattern,
    pub(super) heirs: [Heir; N_LANES],
    /// The number of children in the lower half, and of forbidden ones in the upper half.
    pub(super) own: u64,
    /// Whether a node in the plan state may be a goal: 1 or 0.
    pub(super) may_be_goal: u32,
    /// A bit for each heir that exists.
    pub(super) exist: u32,
    pub(super) padding: [u64; 4],
}

/// The rules that lead to an heir: their places in the lists of its ancestors.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    pub(super) first: u32,
    pub(super) second: Option<u32>,
}

/// The bytes and numbers that an heir's estimate depends on, where there is no [`Pattern`].
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pair {
    /// The bytes whose values count: of the first and of the second rule.
    pub(super) bytes: [u16; 2],
    /// Where the numbers by value begin.
    pub(super) numbers: [u32; 2],
}

/// The numbers that a child adds when it is expanded together with its parent, in one word, so that
/// many of them can be added at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counted {
    pub(super) generated: u64,
    pub(super) expanded: u64,
    pub(super) forbidden: u64,
}

/// The maximum number of words that may be added.
pub(super) const MAX_ADDED: usize = 256;

/// The maximum number of forbidden rules of a child that is expanded with its parent.
pub(super) const MAX_FORBIDDEN_WITH_PARENT: u32 = 7;

const EXPANDED_SHIFT: u32 = 12;
const FORBIDDEN_SHIFT: u32 = 21;

const _: () = {
    assert!(MAX_ADDED * MAX_CHILDREN < 1 << EXPANDED_SHIFT);
    assert!(MAX_ADDED < 1 << (FORBIDDEN_SHIFT - EXPANDED_SHIFT));
    assert!(MAX_ADDED * (MAX_FORBIDDEN_WITH_PARENT as usize) < 1 << (u32::BITS - FORBIDDEN_SHIFT));
};

/// Return the word of a child with `n` allowed and `n_forbidden` forbidden rules.
pub(super) fn counted(n: u32, n_forbidden: u32) -> i32 {
    (n | 1 << EXPANDED_SHIFT | n_forbidden << FORBIDDEN_SHIFT) as i32
}

impl Counted {
    /// Return the sum of words that were added by lane.
    #[inline]
    pub(super) fn sum(lanes: &Lanes) -> Self {
        let mut sum = Self::default();
        for word in lanes.0 {
            let word = u64::from(word as u32);
            sum.generated += word & ((1 << EXPANDED_SHIFT) - 1);
            sum.expanded +=
                word >> EXPANDED_SHIFT & ((1 << (FORBIDDEN_SHIFT - EXPANDED_SHIFT)) - 1);
            sum.forbidden += word >> FORBIDDEN_SHIFT;
        }
        sum
    }
}
