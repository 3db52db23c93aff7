//! Lists of states, all with the same number of words: their words, one state after another.
//!
//! Only what treats a state as a whole is generic over the width; all else takes words.

use std::cmp::Ordering;
use std::iter::zip;

use crate::report::{ExploreError, MOST_WORDS};

/// Return the number of words in which states of `n_words` words are kept.
///
/// # Errors
/// If they are too wide.
pub fn width_for(n_words: usize) -> Result<usize, ExploreError> {
    match n_words {
        0..=4 => Ok(n_words.max(1)),
        5..=8 => Ok(8),
        9..=MOST_WORDS => Ok(MOST_WORDS),
        _ => Err(ExploreError::TooWide(n_words * 64)),
    }
}

/// Add a state, widened with zeros.
#[inline]
pub fn append(states: &mut Vec<u64>, state: &[u64], width: usize) {
    match state {
        // Most states have one word, and then a call that copies it takes time.
        [word] if width == 1 => states.push(*word),
        _ => append_wide(states, state, width),
    }
}

fn append_wide(states: &mut Vec<u64>, state: &[u64], width: usize) {
    states.extend_from_slice(state);
    states.extend((state.len()..width).map(|_| 0));
}

/// Sort states, and remove duplicates.
pub fn sort(states: &mut Vec<u64>, width: usize) {
    match width {
        1 => sort_of::<1>(states),
        2 => sort_of::<2>(states),
        3 => sort_of::<3>(states),
        4 => sort_of::<4>(states),
        8 => sort_of::<8>(states),
        _ => sort_of::<MOST_WORDS>(states),
    }
}

fn sort_of<const W: usize>(words: &mut Vec<u64>) {
    let states: &mut [[u64; W]] = words.as_chunks_mut().0;
    states.sort_unstable_by(order);
    let mut kept = 0;
    for at in 0..states.len() {
        if kept == 0 || states[at] != states[kept - 1] {
            states[kept] = states[at];
            kept += 1;
        }
    }
    words.truncate(kept * W);
}

/// Return whether one state comes before another. Comparisons of arrays may be calls.
#[inline]
pub(crate) fn is_less<const W: usize>(one: &[u64; W], other: &[u64; W]) -> bool {
    order(one, other).is_lt()
}

#[inline]
fn order<const W: usize>(one: &[u64; W], other: &[u64; W]) -> Ordering {
    for (one, other) in zip(one, other) {
        if one != other {
            return one.cmp(other);
        }
    }
    Ordering::Equal
}

/// Keep only the first of some states, in the order of their words.
pub(crate) fn keep_first(states: &mut Vec<u64>, width: usize, most: usize) {
    sort(states, width);
    states.truncate(most.saturating_mul(width));
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn sorted_states_are_a_set(words in prop::collection::vec(0_u64..6, 0..256)) {
            for width in [1, 2, 3, 4, 8, MOST_WORDS] {
                let mut states = Vec::new();
                for state in words.chunks(width) {
                    append(&mut states, state, width);
                }
                let all = states.chunks(width).map(<[u64]>::to_vec);
                let expected = BTreeSet::from_iter(all);
                sort(&mut states, width);
                let found: Vec<Vec<u64>> = states.chunks(width).map(<[u64]>::to_vec).collect();
                prop_assert_eq!(found, Vec::from_iter(expected));
            }
        }
    }

    #[test]
    fn each_width_fits() {
        for n_words in 1..=MOST_WORDS {
            assert!(width_for(n_words).is_ok_and(|width| width >= n_words));
        }
        assert!(width_for(MOST_WORDS + 1).is_err());
    }
}
