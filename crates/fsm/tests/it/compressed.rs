//! Compressed machines do what dense ones do.

use fsm::{
    Compressed, Dense, Layout, Machine, MachineFile, RowDifference, WordAutomaton, minimize,
};
use proptest::prelude::*;

use crate::support::{automaton, compressed, same_language, same_words, word_sets};

proptest! {
    #[test]
    fn all_forms_accept_the_same_words((n_letters, words) in word_sets()) {
        let automaton = automaton(n_letters, &words);
        let dense = automaton.build().unwrap();
        let compressed = Compressed::from_dense(&dense).unwrap();
        prop_assert_eq!(compressed.n_states(), dense.n_states());
        prop_assert_eq!(same_words(&dense, &compressed, n_letters), Ok(()));
        prop_assert_eq!(rebuilt(&compressed), rows(&dense));
        prop_assert_eq!(compressed.to_dense().unwrap(), dense.clone());
        prop_assert_eq!(compressed.states().next(), Some(compressed.start()));
        let minimal = minimize(&dense).unwrap();
        let small = Compressed::from_dense(&minimal).unwrap();
        prop_assert_eq!(same_words(&dense, &small, n_letters), Ok(()));
        prop_assert_eq!(rebuilt(&small), rows(&minimal));
        prop_assert_eq!(small.to_dense().unwrap(), minimal);
        // Readers of files accept its form.
        let bytes = MachineFile::new([0; 32], small.clone()).to_bytes();
        prop_assert_eq!(MachineFile::from_bytes(&bytes).unwrap().machine, small.into());
    }
}

/// Return the table of a machine, row by row.
fn rows(machine: &Dense) -> Vec<Vec<u32>> {
    let row = |state| machine.successors(state).map(|next| next as u32).collect();
    (1..=machine.n_states()).map(row).collect()
}

/// Return the table rebuilt from base rows and exceptions.
fn rebuilt(machine: &Compressed) -> Vec<Vec<u32>> {
    let differences = machine.row_differences().unwrap();
    let row = |difference: &RowDifference| {
        let n_letters = machine.n_letters() as usize;
        let base = differences.base_rows.get(difference.base);
        let mut row = base.cloned().unwrap_or_default();
        assert_eq!(row.len(), n_letters);
        for (letter, next) in &difference.exceptions {
            assert_ne!(row[*letter as usize], *next, "no exception");
            row[*letter as usize] = *next;
        }
        row
    };
    differences.rows.iter().map(row).collect()
}

/// Words over many letters, in which each row differs from others in few places.
fn sparse(n_letters: u32, length: u32) -> WordAutomaton {
    let n_words = 2000;
    let letter = |word: u32, place: u32| (word * 7919 + place * 104_729 + word * word) % n_letters;
    let words = (0..n_words)
        .map(|word| -> Vec<u32> { (0..length).map(|place| letter(word, place)).collect() });
    WordAutomaton::forbidding(n_letters, words).unwrap()
}

/// The comparison itself fails for machines of other words.
#[test]
fn machines_of_other_words_differ() {
    let [one, other] = [[[0, 1, 2], [2, 0, 1]], [[0, 1, 2], [2, 0, 0]]].map(|words| {
        let words = WordAutomaton::forbidding(3, words).unwrap();
        words.build().unwrap()
    });
    let found = same_words(&one, &compressed(&sparse(3, 2)), 3);
    assert!(found.is_err(), "{found:?}");
    for (a, b) in [(&one, &other), (&other, &one)] {
        let word = same_words(a, b, 3).unwrap_err();
        assert!(word.ends_with(&[2, 0, 0]) || word.ends_with(&[2, 0, 1]));
        let by_last = same_language(a, b, 3, |_, _| true).unwrap_err();
        assert_eq!(by_last.len(), word.len());
    }
    assert_eq!(same_words(&one, &one, 3), Ok(()));
}

#[test]
fn large_machines_take_a_fraction_of_their_table() {
    for (n_letters, layout) in [(24, Layout::Bitmap), (1000, Layout::List)] {
        let automaton = sparse(n_letters, 6);
        let dense = automaton.build().unwrap();
        let compressed = Compressed::from_dense(&dense).unwrap();
        assert_eq!(compressed.layout(), layout);
        assert_eq!(rebuilt(&compressed), rows(&dense));
        assert!(
            compressed.bytes() * 5 < dense.bytes(),
            "{compressed:?} {}",
            dense.bytes()
        );
        assert_eq!(same_words(&dense, &compressed, n_letters), Ok(()));
    }
}

#[test]
fn successors_are_what_steps_lead_to() {
    let compressed = compressed(&sparse(80, 4));
    let states: Vec<_> = compressed.states().collect();
    assert_eq!(states.len(), compressed.n_states());
    for state in &states {
        let successors: Vec<_> = compressed.successors(*state).collect();
        assert_eq!(successors.len(), 80);
        for (letter, next) in (0..).zip(successors) {
            assert_eq!(next, compressed.next(*state, letter));
            assert!(next.is_none_or(|next| states.binary_search(&next).is_ok()));
        }
    }
}

#[test]
fn alphabets_without_letters_have_a_start_state() {
    let compressed = compressed(&WordAutomaton::new(0));
    assert_eq!((compressed.n_states(), compressed.states().count()), (1, 1));
    assert_eq!(compressed.to_dense().unwrap().n_states(), 1);
}
