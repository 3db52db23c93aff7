//! The set of states that a search has stored, numbered in the order of insertion.

use std::iter::zip;

use crate::best_first::budget::Budget;
use crate::best_first::closed::index::{Index, MAX_STATES};
use crate::best_first::closed::states::{States, Words};
use crate::best_first::space::packed::hash;
use crate::run::limits::StopReason;

/// A set of packed states.
#[derive(Debug)]
pub(crate) struct StateStore {
    states: States,
    index: Index,
}

impl StateStore {
    /// Make an empty set of states of `n_words` words, of which only the lowest `n_bytes` bytes are
    /// used.
    pub(crate) fn new((n_words, n_bytes): (usize, usize)) -> Self {
        Self {
            states: States::new(n_words, n_bytes),
            index: Index::new(),
        }
    }

    /// Return the number of states.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.states.len()
    }

    /// Return a state.
    #[inline]
    pub(crate) fn get(&self, id: u32) -> Words<'_> {
        self.states.get(id as usize)
    }

    /// Return the number of a state.
    #[inline]
    pub(crate) fn find(&self, state: &[u64]) -> Option<u32> {
        self.find_by_hash(hash(state), state)
    }

    /// Return the number of a state with this hash.
    #[inline]
    pub(crate) fn find_by_hash(&self, hash: u64, state: &[u64]) -> Option<u32> {
        self.index
            .find(hash, |id| equal(&self.states.get(id as usize), state))
    }

    /// Prefetch the part of the index that a look-up of this hash will read.
    #[inline(always)]
    pub(crate) fn fetch_index(&self, hash: u64) {
        self.index.fetch(hash);
    }

    /// Prefetch the states that look-ups of these hashes will read. `and` prefetches what else is
    /// needed for a state.
    #[inline]
    pub(crate) fn fetch(&self, hashes: impl Iterator<Item = u64> + Clone, and: impl Fn(u32)) {
        for hash in hashes.clone() {
            self.index.fetch(hash);
        }
        for hash in hashes {
            if let Some(id) = self.index.likely(hash) {
                self.fetch_state(id);
                and(id);
            }
        }
    }

    /// Prefetch a state.
    #[inline(always)]
    pub(crate) fn fetch_state(&self, id: u32) {
        self.states.fetch(id as usize);
    }

    /// Add a state that isn't stored yet.
    pub(crate) fn insert(&mut self, state: &[u64], budget: &mut Budget) -> Result<u32, StopReason> {
        self.insert_by_hash(hash(state), state, budget)
    }

    /// Add a state that isn't stored yet, with its hash.
    #[inline]
    pub(crate) fn insert_by_hash(
        &mut self,
        its_hash: u64,
        state: &[u64],
        budget: &mut Budget,
    ) -> Result<u32, StopReason> {
        if self.len() + 1 >= MAX_STATES {
            return Err(StopReason::Memory);
        }
        self.states.make_room(budget)?;
        let id = self.len() as u32;
        let states = &self.states;
        let hash_of = |id| hash(&states.get(id as usize));
        self.index.insert(its_hash, id, hash_of, budget)?;
        self.states.push(state, budget)?;
        Ok(id)
    }

    /// Return the size of states and index in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.states.bytes() + self.index.bytes()
    }
}

/// For one or two words a loop is faster than a call of `memcmp`.
#[inline]
fn equal(a: &[u64], b: &[u64]) -> bool {
    zip(a, b).all(|(a, b)| a == b)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use psvn_ir::testing::SplitMix64;

    use super::*;

    #[test]
    fn states_are_found_by_their_content() {
        for (n_words, range) in [(1, 40_000), (3, 40)] {
            let mut random = SplitMix64::new(n_words as u64);
            let mut budget = Budget::new(None);
            let mut store = StateStore::new((n_words, 8 * n_words));
            let mut known = HashMap::new();
            for _ in 0..100_000 {
                let state: Vec<u64> = (0..n_words).map(|_| random.below(range) as u64).collect();
                let id = store.find(&state);
                assert_eq!(id.as_ref(), known.get(&state));
                if id.is_none() {
                    let id = store.insert(&state, &mut budget).unwrap();
                    assert_eq!(id as usize, known.len());
                    known.insert(state, id);
                }
            }
            assert_eq!(store.len(), known.len());
            assert!(known.iter().all(|(state, id)| *store.get(*id) == **state));
            budget.release(store.bytes());
            assert!(budget.affords(usize::MAX));
        }
    }

    #[test]
    fn five_bytes_beside_the_state_and_no_byte_beyond_the_limit() {
        for limit in [5_000, 100_000, 3_000_000, 12_345_678] {
            let mut budget = Budget::new(Some(limit));
            let mut store = StateStore::new((1, 8));
            let mut n = 0_u64;
            while store.insert(&[n], &mut budget).is_ok() {
                n += 1;
            }
            assert!(budget.peak() <= limit && store.bytes() <= limit);
            assert!((0..n).all(|state| store.find(&[state]) == Some(state as u32)));
            assert_eq!(store.find(&[n]), None);
            if limit > 1_000_000 {
                assert!(limit as f64 / (n as f64) < 14.5, "{limit} {n}");
            }
        }
    }
}
