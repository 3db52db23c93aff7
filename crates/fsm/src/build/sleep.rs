//! Sleep sets: commuting letters in one order only, whatever letters are between them.
//!
//! Let a commute with b and with c. A machine for words of bounded length can replace b a by a b.
//! But it replaces b c a by a b c only if words of length 3 were compared; and so on. A *sleep set*
//! holds the letters whose turn has passed: after b, a letter a that comes before b and commutes
//! with it is asleep. It stays asleep while letters follow that it commutes with (Holte, Alkhazraji
//! & Wehrle 2015; the canonical sequences of permutation puzzle solvers are the same idea).
//!
//! If both use the same order of letters, the [product](crate::product()) with a machine for
//! redundant words is safe, and prunes more than either.

use std::collections::HashMap;

use ahash::RandomState;

use crate::error::BuildError;
use crate::machine::dense::Dense;

/// Return the machine of sleep sets.
///
/// `swaps` lists the pairs (first, second) for which "first, then second" can always be replaced by
/// "second, then first": wherever the former is possible, so is the latter, with the same result at
/// no greater cost. `before` is the order of letters in which replacements come first.
///
/// After a letter o that isn't asleep in the set Z, those letters a are asleep for which (o, a) is
/// among the swaps and which were asleep in Z or come before o.
///
/// # Errors
/// When there are more than `most_states` sets, or a letter is out of range.
pub fn sleep_machine(
    n_letters: u32,
    before: impl Fn(u32, u32) -> bool,
    swaps: &[(u32, u32)],
    most_states: usize,
) -> Result<Dense, BuildError> {
    let n = n_letters as usize;
    let n_words = n.div_ceil(64).max(1);
    // For each letter o, as bits: the letters a with a swap (o, a), and those among them before o.
    let mut may_sleep = vec![vec![0_u64; n_words]; n];
    let mut fall_asleep = vec![vec![0_u64; n_words]; n];
    for (first, second) in swaps {
        if let Some(letter) = [*first, *second]
            .into_iter()
            .find(|letter| *letter >= n_letters)
        {
            return Err(BuildError::Letter { letter, n_letters });
        }
        let (word, bit) = (*second as usize / 64, 1 << (second % 64));
        may_sleep[*first as usize][word] |= bit;
        if before(*second, *first) {
            fall_asleep[*first as usize][word] |= bit;
        }
    }
    let mut dense = Dense::with_capacity(n_letters, 1)?;
    let mut rows: HashMap<Vec<u64>, u32, RandomState> = HashMap::default();
    let mut sets = vec![vec![0_u64; n_words]];
    rows.insert(sets[0].clone(), dense.push_state());
    let mut row = vec![0_u32; n];
    let mut head = 0;
    while head < sets.len() {
        let asleep = sets[head].clone();
        for (letter, slot) in row.iter_mut().enumerate() {
            if asleep[letter / 64] >> (letter % 64) & 1 == 1 {
                *slot = 0;
                continue;
            }
            let next: Vec<u64> = (0..n_words)
                .map(|w| asleep[w] & may_sleep[letter][w] | fall_asleep[letter][w])
                .collect();
            *slot = match rows.get(&next) {
                Some(row) => *row,
                None => {
                    if sets.len() >= most_states {
                        return Err(BuildError::TooLarge {
                            states: sets.len() + 1,
                            n_letters,
                        });
                    }
                    Dense::check_size(n_letters, sets.len() + 1)?;
                    let fresh = dense.push_state();
                    rows.insert(next.clone(), fresh);
                    sets.push(next);
                    fresh
                }
            };
        }
        dense.set_row(rows[&asleep], &row);
        head += 1;
    }
    dense.finish();
    Ok(dense)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Machine, growth};

    fn accepts(machine: &Dense, word: &[u32]) -> bool {
        let step = |state: Option<_>, letter: &u32| state.and_then(|s| machine.next(s, *letter));
        word.iter().fold(Some(machine.start()), step).is_some()
    }

    #[test]
    fn commuting_letters_are_sorted_over_any_distance() {
        // 0, 1 and 2 commute with each other; 3 with none.
        let swaps: Vec<(u32, u32)> = (0..3)
            .flat_map(|a| (0..3).filter(move |b| *b != a).map(move |b| (a, b)))
            .collect();
        let machine = sleep_machine(4, |a, b| a < b, &swaps, 1000).unwrap();
        assert!(accepts(&machine, &[0, 1, 2]) && accepts(&machine, &[0, 0, 1, 1]));
        assert!(!accepts(&machine, &[1, 0]) && !accepts(&machine, &[1, 1, 2, 2, 0]));
        assert!(accepts(&machine, &[1, 3, 0]));
        assert!(!accepts(&machine, &[3, 1, 2, 0]));
        let reversed = sleep_machine(4, |a, b| a > b, &swaps, 1000).unwrap();
        assert!(accepts(&reversed, &[2, 1, 0]) && !accepts(&reversed, &[0, 1]));
        assert!(sleep_machine(4, |a, b| a < b, &swaps, 2).is_err());
        assert!(sleep_machine(2, |a, b| a < b, &swaps, 1000).is_err());
    }

    /// Words over commuting letters up to order are counted by the reciprocal of the independence
    /// polynomial (Cartier & Foata 1969): two commuting pairs 01 and 23 give 1 / (1 - 4z + 2z²).
    #[test]
    fn growth_is_that_of_the_trace_monoid() {
        let swaps = [(0, 1), (1, 0), (2, 3), (3, 2)];
        let machine = sleep_machine(4, |a, b| a < b, &swaps, 1000).unwrap();
        let rate = 2.0 + 2.0_f64.sqrt();
        assert!((growth(&machine).value() - rate).abs() < 1e-8);
    }
}
