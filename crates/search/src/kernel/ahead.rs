//! Looking ahead: the estimates of up to eight descendants of a node at once.

use std::array;

use bytemuck::{Pod, Zeroable};

/// The number of descendants, each of which has a lane.
pub(crate) const N_LANES: usize = 8;

/// The number of values that a [`Pattern`] distinguishes.
pub(crate) const N_PATTERN_VALUES: usize = 32;

/// One number for each descendant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C, align(32))]
pub(crate) struct Lanes(pub(crate) [i32; N_LANES]);

impl Lanes {
    /// Return the same number for all.
    pub(crate) const fn of(number: i32) -> Self {
        Self([number; N_LANES])
    }
}

/// How the estimates of a node's descendants come about.
///
/// Each descendant is one or two rules below the node, and each of the rules adds one of two
/// numbers, chosen by the value of one byte of the node. The first eight numbers of an array are
/// those of first rules, and the next eight those of second rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C, align(16))]
pub(crate) struct Pattern {
    /// The byte whose value counts.
    pub(crate) bytes: [u8; 2 * N_LANES],
    /// For first and for second rules, by value: a bit for each descendant whose rule adds the
    /// greater number.
    pub(crate) greater: [[u8; N_PATTERN_VALUES]; 2],
    /// The lesser number.
    pub(crate) lesser: [i8; 2 * N_LANES],
    /// What the greater number is more.
    pub(crate) more: [u8; 2 * N_LANES],
}

/// Estimates of descendants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ahead {
    /// The estimates after the first rule.
    pub(crate) after_one: Lanes,
    /// The estimates after both rules.
    pub(crate) after_both: Lanes,
}

/// What the estimates of descendants say, where estimates below zero are within a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Survey {
    /// The least estimates so far that are not within the bound, as numbers without a sign.
    pub(crate) beyond: Lanes,
    /// The sums of the numbers of those descendants whose first rule leads to an estimate within
    /// the bound.
    pub(crate) counts: Lanes,
}

impl Survey {
    /// The survey of nothing.
    pub(crate) const NONE: Self = Self {
        beyond: Lanes::of(-1),
        counts: Lanes::of(0),
    };
}

/// Return the estimates of descendants from the bytes of their node and its own estimate.
#[inline(always)]
pub(crate) fn estimates(bytes: &[u8], pattern: &Pattern, estimate: i32) -> Ahead {
    let added = |lane: usize| {
        let value = bytes[usize::from(pattern.bytes[lane]) % bytes.len()];
        let greater = pattern.greater[lane / N_LANES][usize::from(value) % N_PATTERN_VALUES];
        let more = pattern.more[lane] * (greater >> (lane % N_LANES) & 1);
        i32::from(pattern.lesser[lane].wrapping_add_unsigned(more))
    };
    let after_one: [i32; N_LANES] = array::from_fn(|lane| estimate + added(lane));
    let after_both = array::from_fn(|lane| after_one[lane] + added(N_LANES + lane));
    Ahead {
        after_one: Lanes(after_one),
        after_both: Lanes(after_both),
    }
}

impl Survey {
    /// Add estimates, with a number for each descendant. Return a bit for each that is within the
    /// bound after the first rule and after both.
    #[inline(always)]
    pub(crate) fn add(&mut self, ahead: &Ahead, numbers: &Lanes) -> u32 {
        let mut within = 0;
        for lane in 0..N_LANES {
            let (one, both) = (ahead.after_one.0[lane], ahead.after_both.0[lane]);
            let last = if one < 0 { both } else { one };
            within |= u32::from(last < 0) << lane;
            let beyond = &mut self.beyond.0[lane];
            *beyond = (*beyond as u32).min(last as u32) as i32;
            let count = &mut self.counts.0[lane];
            *count = count.wrapping_add(numbers.0[lane] & (one >> 31));
        }
        within
    }
}
