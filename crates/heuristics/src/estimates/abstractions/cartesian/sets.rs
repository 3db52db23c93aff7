//! Cartesian sets of states: for each variable some of its values.

use std::iter::zip;
use std::ops::Range;

use psvn_ir::Game;

/// Where the values of each variable stand in a set: each value is a bit, and each variable has
/// words of its own.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// By variable, the number of its values.
    sizes: Box<[u32]>,
    /// By variable, its first word; the last entry is the number of words.
    starts: Box<[u32]>,
}

/// All states whose variables each have one of some values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CartesianSet(Box<[u64]>);

/// Return whether a value is among those of some words.
#[inline]
pub(super) fn has(words: &[u64], value: u32) -> bool {
    let word = words.get(value as usize / 64);
    word.is_some_and(|word| word >> (value % 64) & 1 == 1)
}

/// Add a value to those of some words, which have room for it.
pub(super) fn put(words: &mut [u64], value: u32) {
    words[value as usize / 64] |= 1 << (value % 64);
}

/// Take a value away.
pub(super) fn remove(words: &mut [u64], value: u32) {
    words[value as usize / 64] &= !(1 << (value % 64));
}

/// Return the number of values.
pub(super) fn count(words: &[u64]) -> u32 {
    words.iter().map(|word| word.count_ones()).sum()
}

/// Return whether words have a value in common.
#[inline]
pub(super) fn have_common(one: &[u64], other: &[u64]) -> bool {
    zip(one, other).any(|(one, other)| one & other != 0)
}

/// Leave only values that others have, too.
pub(super) fn intersect(words: &mut [u64], others: &[u64]) {
    for (number, word) in words.iter_mut().enumerate() {
        *word &= others.get(number).copied().unwrap_or(0);
    }
}

impl Layout {
    pub(super) fn of(game: &Game) -> Self {
        let domains = game.variables().iter().map(|id| game.domain(*id));
        let sizes: Box<[u32]> = domains.map(|domain| domain.size() as u32).collect();
        let mut starts = vec![0];
        for size in &sizes {
            starts.push(starts[starts.len() - 1] + size.div_ceil(64));
        }
        Self {
            sizes,
            starts: starts.into(),
        }
    }

    pub(super) fn n_variables(&self) -> u32 {
        self.sizes.len() as u32
    }

    pub(super) fn n_words(&self) -> usize {
        self.starts[self.sizes.len()] as usize
    }

    pub(super) fn size(&self, var: u32) -> u32 {
        self.sizes[var as usize]
    }

    #[inline]
    fn range(&self, var: u32) -> Range<usize> {
        self.starts[var as usize] as usize..self.starts[var as usize + 1] as usize
    }

    /// Return the set of all states.
    pub(super) fn all(&self) -> CartesianSet {
        let mut set = CartesianSet(vec![0; self.n_words()].into());
        for var in 0..self.n_variables() {
            for value in 0..self.size(var) {
                put(set.of_mut(self, var), value);
            }
        }
        set
    }
}

impl CartesianSet {
    /// Return the values of a variable.
    #[inline]
    pub(super) fn of(&self, layout: &Layout, var: u32) -> &[u64] {
        &self.0[layout.range(var)]
    }

    pub(super) fn of_mut(&mut self, layout: &Layout, var: u32) -> &mut [u64] {
        &mut self.0[layout.range(var)]
    }

    /// Become the states that both sets have.
    pub(super) fn become_intersection(&mut self, one: &Self, other: &Self) {
        for (word, (one, other)) in zip(&mut self.0, zip(&one.0, &other.0)) {
            *word = one & other;
        }
    }

    /// Become equal to another set.
    pub(super) fn copy_from(&mut self, other: &Self) {
        self.0.copy_from_slice(&other.0);
    }

    /// Return whether no variable lacks values.
    #[cfg(test)]
    pub(super) fn contains(&self, layout: &Layout, state: &[u32]) -> bool {
        let mut facts = zip(0.., state);
        facts.all(|(var, value)| has(self.of(layout, var), *value))
    }
}
