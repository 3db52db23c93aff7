//! Shared helpers of the tests.

use std::collections::HashSet;

use fsm::{Compressed, Machine, MachineFile, RulePart, SplitReason, WordAutomaton};
use proptest::collection::{hash_set, vec};
use proptest::prelude::*;

/// Return whether two machines accept the same words, or a word on which they differ.
/// `possible(last, letter)` returns whether a letter can follow the last one.
pub(crate) fn same_language<A: Machine, B: Machine>(
    a: &A,
    b: &B,
    n_letters: u32,
    possible: impl Fn(u32, u32) -> bool,
) -> Result<(), Vec<u32>> {
    search_for_difference(a, b, n_letters, Some, possible)
}

/// Do the same where every letter can follow every other one: what the last one was makes no
/// difference.
pub(crate) fn same_words<A: Machine, B: Machine>(
    a: &A,
    b: &B,
    n_letters: u32,
) -> Result<(), Vec<u32>> {
    search_for_difference(a, b, n_letters, |_| None, |_, _| true)
}

/// Go through all pairs of states to which a word leads, with what is `kept` of its last letter.
fn search_for_difference<A: Machine, B: Machine>(
    a: &A,
    b: &B,
    n_letters: u32,
    kept: impl Fn(u32) -> Option<u32>,
    possible: impl Fn(u32, u32) -> bool,
) -> Result<(), Vec<u32>> {
    let mut seen = HashSet::from([(a.start(), b.start(), None)]);
    let mut open = vec![(a.start(), b.start(), Vec::new())];
    while let Some((p, q, word)) = open.pop() {
        let last = word.last().copied();
        for letter in (0..n_letters).filter(|next| last.is_none_or(|last| possible(last, *next))) {
            let longer = || [&word[..], &[letter]].concat();
            match (a.next(p, letter), b.next(q, letter)) {
                (None, None) => {}
                (Some(p), Some(q)) => {
                    if seen.insert((p, q, kept(letter))) {
                        open.push((p, q, longer()));
                    }
                }
                _ => return Err(longer()),
            }
        }
    }
    Ok(())
}

/// Alphabets with some forbidden words.
pub(crate) fn word_sets() -> impl Strategy<Value = (u32, HashSet<Vec<u32>>)> {
    // Sizes around those of words of bits, and one too large for bitmaps.
    let sizes = prop_oneof![8 => 1..6_u32, 2 => Just(24_u32), 2 => Just(49_u32), 1 => Just(256_u32), 1 => Just(300_u32)];
    sizes.prop_flat_map(|n_letters| {
        // Few different letters make words overlap.
        let letter = prop_oneof![3 => 0..n_letters.min(3), 1 => 0..n_letters];
        (Just(n_letters), hash_set(vec(letter, 1..7), 0..40))
    })
}

/// Return the trie of some words, in an order that doesn't depend on hashing.
pub(crate) fn automaton(n_letters: u32, words: &HashSet<Vec<u32>>) -> WordAutomaton {
    let mut words: Vec<&Vec<u32>> = words.iter().collect();
    words.sort_unstable();
    WordAutomaton::forbidding(n_letters, words).unwrap()
}

/// The words of the example files, with their replacements.
pub(crate) const EXAMPLE: [(&[u32], &[u32]); 3] =
    [(&[0, 0], &[]), (&[1, 0], &[0, 1]), (&[2, 1, 0], &[1])];

/// The example file of version 1.
pub(crate) const VERSION_1: &[u8] = include_bytes!("../data/version-1.fsm");

/// Return the content of both example files, without what version 1 lacks.
pub(crate) fn example() -> MachineFile {
    let machine = WordAutomaton::forbidding(3, EXAMPLE.map(|(word, _)| word)).unwrap();
    MachineFile {
        max_length: 3,
        assumptions: vec!["one blank".to_owned(), "größe".to_owned()],
        words: EXAMPLE
            .map(|(word, replacement)| fsm::CertifiedWord::new(word, replacement))
            .to_vec(),
        ..MachineFile::new(
            std::array::from_fn(|i| i as u8 * 7 + 1),
            machine.build().unwrap(),
        )
    }
}

/// Build a machine in compressed form.
pub(crate) fn compressed(automaton: &WordAutomaton) -> Compressed {
    Compressed::from_dense(&automaton.build().unwrap()).unwrap()
}

/// Return an example with every feature of version 2, and a compressed machine.
pub(crate) fn full_example() -> MachineFile {
    let machine = WordAutomaton::forbidding(3, EXAMPLE.map(|(word, _)| word)).unwrap();
    MachineFile {
        rule_order: vec![2, 0, 1],
        kind: Some(fsm::MachineKind::AhoCorasick),
        swaps: vec![(0, 1), (1, 0), (2, 1)],
        machine: compressed(&machine).into(),
        ..example()
    }
}

/// Return an example whose letters are parts of rules: of four rules the second is split in two,
/// and the last one has no part, since it can never be used.
pub(crate) fn split_example() -> MachineFile {
    let part = |conditions: &[(u32, u32)]| RulePart {
        conditions: conditions.to_vec(),
    };
    let mut file = full_example();
    file.parts = vec![
        vec![part(&[])],
        vec![part(&[(4, 0)]), part(&[(4, 1), (200, 300)])],
        vec![],
        vec![],
    ];
    file.split_reasons = vec![SplitReason {
        rule: 1,
        position: 4,
        word: [0, 1].into(),
        replacement: [3].into(),
    }];
    file.rule_order = vec![2, 0, 3, 1];
    file.swaps = Vec::new();
    // Replacements are of rules.
    file.words[1].replacements = vec![[0, 3].into()];
    file
}

/// Return an example whose letters are operators: seven rules, and words with several replacements.
pub(crate) fn operator_example() -> MachineFile {
    let mut file = full_example();
    file.operator_of = vec![0, 0, 1, 2, 1, 2, 2];
    file.swaps = Vec::new();
    file.words[2].replacements = vec![[1].into(), [].into(), [0, 1].into()];
    file
}
