//! Machines that may do anything with impossible words.

use std::collections::HashSet;

use fsm::{
    BuildError, Stopped, WordAutomaton, minimize, minimize_unless, minimize_with_dont_cares,
    minimize_with_dont_cares_unless,
};
use proptest::prelude::*;

use crate::support::{automaton, same_language, word_sets};

proptest! {
    #[test]
    fn possible_words_are_allowed_or_forbidden_as_before(
        (n_letters, words) in word_sets(),
        seed in any::<u64>(),
        percent in 0..100_u64,
    ) {
        let impossible = |first: u32, second: u32| {
            let mixed = (seed ^ u64::from(first * 1009 + second)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            (mixed >> 32) % 100 < percent
        };
        let machine = automaton(n_letters, &words).build().unwrap();
        let smaller = minimize_with_dont_cares(&machine, impossible).unwrap();
        let possible = |first, second| !impossible(first, second);
        prop_assert_eq!(same_language(&machine, &smaller, n_letters, possible), Ok(()));
        prop_assert!(smaller.n_states() <= minimize(&machine).unwrap().n_states());
    }
}

#[test]
fn without_impossible_successions_the_machine_is_minimal() {
    let words = HashSet::from([vec![0, 1, 2], vec![1, 2, 0, 1], vec![2, 2], vec![1, 1, 0]]);
    let machine = automaton(3, &words).build().unwrap();
    let minimal = minimize(&machine).unwrap();
    assert_eq!(
        minimize_with_dont_cares(&machine, |_, _| false),
        Ok(minimal)
    );
}

#[test]
fn minimizing_ends_when_it_is_stopped() {
    let machine = automaton(3, &HashSet::from([vec![0, 1, 2]])).build();
    let machine = machine.unwrap();
    let stopped = Err(BuildError::Stopped(Stopped));
    assert_eq!(minimize_unless(&machine, &|| true), stopped);
    let without = |_, _| false;
    assert_eq!(
        minimize_with_dont_cares_unless(&machine, without, &|| true),
        stopped
    );
    assert_eq!(minimize_unless(&machine, &|| false), minimize(&machine));
}

/// A token on a ring of places steps right or left; each place has its own two letters. Steps that
/// undo one another are forbidden. The places need no separate states.
#[test]
fn places_share_their_states() {
    let n = 8;
    let (right, left) = (|place: u32| place % n, |place: u32| n + place % n);
    let words = (0..n).flat_map(|place| {
        [
            [right(place), left(place + 1)],
            [left(place), right(place + n - 1)],
        ]
    });
    let machine = WordAutomaton::forbidding(2 * n, words)
        .unwrap()
        .build()
        .unwrap();
    let place_after = |letter: u32| match letter {
        right if right < n => (right + 1) % n,
        left => (left - 1) % n,
    };
    let impossible = |first: u32, second: u32| place_after(first) != second % n;
    assert_eq!(minimize(&machine).unwrap().n_states(), 1 + 2 * n as usize);
    let smaller = minimize_with_dont_cares(&machine, impossible).unwrap();
    assert!(smaller.n_states() <= 3, "{}", smaller.n_states());
    let possible = |first, second| !impossible(first, second);
    assert_eq!(same_language(&machine, &smaller, 2 * n, possible), Ok(()));
}

#[test]
fn alphabets_without_letters_are_accepted() {
    let machine = WordAutomaton::new(0).build().unwrap();
    assert_eq!(minimize_with_dont_cares(&machine, |_, _| true), Ok(machine));
}
