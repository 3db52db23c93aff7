//! Children that wait to be looked up together.
//!
//! A look-up in a large table waits for memory twice: for the index, and for the state that the
//! index points at. If the entries of many children are read first, one after the other without
//! waiting, the processor fetches them at the same time.

use crate::best_first::space::packed::hash;

/// The maximum number of children that are looked up together.
const SIZE: usize = 128;

/// A child.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Waiting {
    pub(crate) hash: u64,
    /// The number of the state that was expanded.
    pub(crate) parent: u32,
    pub(crate) rule: u32,
}

/// Children in the order in which they were made.
#[derive(Debug)]
pub(crate) struct Batch {
    n_words: usize,
    states: Vec<u64>,
    children: Vec<Waiting>,
}

impl Batch {
    pub(crate) fn new(n_words: usize) -> Self {
        Self {
            n_words,
            states: Vec::with_capacity(SIZE * n_words),
            children: Vec::with_capacity(SIZE),
        }
    }

    /// Add a child. Return whether the batch is now full.
    #[inline]
    pub(crate) fn push(&mut self, state: &[u64], parent: u32, rule: u32) -> bool {
        let hash = hash(state);
        self.states.extend_from_slice(state);
        self.children.push(Waiting { hash, parent, rule });
        self.children.len() >= SIZE
    }

    /// Return the number of children.
    pub(crate) fn len(&self) -> usize {
        self.children.len()
    }

    /// Return a child with its packed state.
    #[inline]
    pub(crate) fn get(&self, at: usize) -> (Waiting, &[u64]) {
        let state = &self.states[at * self.n_words..(at + 1) * self.n_words];
        (self.children[at], state)
    }

    /// Return the hash of the last child.
    #[inline]
    pub(crate) fn last_hash(&self) -> u64 {
        self.children.last().map_or(0, |child| child.hash)
    }

    /// Return the hashes of all children.
    pub(crate) fn hashes(&self) -> impl Iterator<Item = u64> + Clone {
        self.children.iter().map(|child| child.hash)
    }

    /// Drop all children.
    pub(crate) fn clear(&mut self) {
        self.states.clear();
        self.children.clear();
    }
}
