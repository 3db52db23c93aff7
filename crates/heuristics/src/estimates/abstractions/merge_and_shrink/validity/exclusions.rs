//! Facts that never hold together.

use std::iter::zip;

use invariants::Invariants;
use psvn_ir::Game;

use super::super::cascade::GONE;
use crate::structure::goal_facts::n_facts;

/// The maximum number of facts for which exclusions are used: each is a bit of each abstract state.
const MAX_FACTS: usize = 1 << 12;

/// The pairs of facts that never hold together.
#[derive(Clone, Debug)]
pub(super) struct Exclusions {
    /// By variable, its first fact.
    first: Box<[u32]>,
    /// The words of a set of facts; 0 if there are no pairs, or too many facts.
    n_words: usize,
    /// By fact, the facts that never hold with it.
    excluded: Vec<u64>,
}

fn put(words: &mut [u64], fact: u32) {
    words[fact as usize / 64] |= 1 << (fact % 64);
}

impl Exclusions {
    pub(super) fn new(game: &Game, known: &Invariants) -> Self {
        let mut next = 0;
        let first = game.variables().iter().map(|domain| {
            let first = next;
            next += game.domain(*domain).size() as u32;
            first
        });
        let first: Box<[u32]> = first.collect();
        let n_facts = n_facts(game);
        let is_used = known.exclusive_pairs().len() > 0 && n_facts <= MAX_FACTS;
        let n_words = if is_used { n_facts.div_ceil(64) } else { 0 };
        let mut excluded = vec![0; n_facts * n_words];
        if is_used {
            for (one, other) in known.exclusive_pairs() {
                let [one, other] = [one, other].map(|it| first[it.var.index()] + it.value.0);
                put(&mut excluded[one as usize * n_words..][..n_words], other);
                put(&mut excluded[other as usize * n_words..][..n_words], one);
            }
        }
        Self {
            first,
            n_words,
            excluded,
        }
    }
}

/// For each state of a factor, the facts that all its states hold.
#[derive(Clone, Debug)]
pub(super) struct HeldFacts {
    n_words: usize,
    of_states: Vec<u64>,
}

impl HeldFacts {
    pub(super) fn empty(exclusions: &Exclusions, n_states: usize) -> Self {
        Self {
            n_words: exclusions.n_words,
            of_states: vec![0; n_states * exclusions.n_words],
        }
    }

    pub(super) fn of_variable(exclusions: &Exclusions, var: usize, values: &[u32]) -> Self {
        let mut held = Self::empty(exclusions, values.len());
        if exclusions.n_words > 0 {
            let states = held.of_states.chunks_exact_mut(exclusions.n_words);
            for (words, value) in zip(states, values) {
                put(words, exclusions.first[var] + value);
            }
        }
        held
    }

    pub(super) fn of_pairs(one: &Self, other: &Self, pairs: &[(u32, u32)]) -> Self {
        let of_pair = |(of_one, of_other): &(u32, u32)| {
            let words = zip(one.of(*of_one), other.of(*of_other));
            words.map(|(one, other)| one | other)
        };
        Self {
            n_words: one.n_words,
            of_states: pairs.iter().flat_map(of_pair).collect(),
        }
    }

    pub(super) fn mapped(&self, map: &[u32], n_states: usize) -> Self {
        let n_words = self.n_words;
        let mut of_states = vec![u64::MAX; n_states * n_words];
        for (state, new) in zip(0.., map) {
            if *new != GONE {
                let merged = &mut of_states[*new as usize * n_words..][..n_words];
                for (word, own) in zip(merged, self.of(state)) {
                    *word &= own;
                }
            }
        }
        Self { n_words, of_states }
    }

    pub(super) fn n_bytes(&self) -> usize {
        size_of_val(&*self.of_states)
    }

    #[inline]
    fn of(&self, state: u32) -> &[u64] {
        &self.of_states[state as usize * self.n_words..][..self.n_words]
    }
}

/// For each state of a factor, the facts that never hold with it.
pub(super) struct Excluded(HeldFacts);

impl Excluded {
    pub(super) fn new(exclusions: &Exclusions, held: &HeldFacts) -> Self {
        let n_words = exclusions.n_words;
        let mut of_states = vec![0; held.of_states.len()];
        if n_words > 0 {
            let states = held.of_states.chunks_exact(n_words);
            for (held, excluded) in zip(states, of_states.chunks_exact_mut(n_words)) {
                for fact in (0..64 * n_words).filter(|it| held[it / 64] >> (it % 64) & 1 == 1) {
                    let by_fact = &exclusions.excluded[fact * n_words..][..n_words];
                    for (word, own) in zip(&mut *excluded, by_fact) {
                        *word |= own;
                    }
                }
            }
        }
        Self(HeldFacts { n_words, of_states })
    }

    /// Return whether a state of another factor holds none of those of a state.
    #[inline]
    pub(super) fn allow(&self, held: &HeldFacts, one: u32, other: u32) -> bool {
        zip(held.of(one), self.0.of(other)).all(|(held, excluded)| held & excluded == 0)
    }
}
