//! Demands stored in as few bytes as possible.

use std::ops::Range;

use crate::generalization::demands::{Key, KeySpace};

/// The number of lists that share a base, so that their ends fit in 32 bits.
const LISTS_IN_BLOCK: usize = 1 << 16;

/// Demands one after the other.
#[derive(Clone, Debug)]
pub(crate) enum Pool {
    Narrow(Vec<u16>),
    Wide(Vec<u32>),
}

impl Pool {
    pub(crate) fn new(space: KeySpace) -> Self {
        if space.len() <= 1 << 16 {
            Pool::Narrow(Vec::new())
        } else {
            Pool::Wide(Vec::new())
        }
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Pool::Narrow(pool) => pool.len(),
            Pool::Wide(pool) => pool.len(),
        }
    }

    pub(crate) fn reserve(&mut self, length: usize) {
        match self {
            Pool::Narrow(pool) => pool.reserve_exact(length),
            Pool::Wide(pool) => pool.reserve_exact(length),
        }
    }

    pub(crate) fn push(&mut self, keys: &[Key]) {
        match self {
            Pool::Narrow(pool) => pool.extend(keys.iter().map(|key| *key as u16)),
            Pool::Wide(pool) => pool.extend_from_slice(keys),
        }
    }

    #[inline]
    pub(crate) fn get(&self, place: usize) -> Key {
        match self {
            Pool::Narrow(pool) => Key::from(pool[place]),
            Pool::Wide(pool) => pool[place],
        }
    }

    /// Append the demands of a range to a list.
    pub(crate) fn read(&self, places: Range<usize>, keys: &mut Vec<Key>) {
        match self {
            Pool::Narrow(pool) => keys.extend(pool[places].iter().map(|key| Key::from(*key))),
            Pool::Wide(pool) => keys.extend_from_slice(&pool[places]),
        }
    }

    /// Return whether these demands are stored from a place on.
    #[inline]
    pub(crate) fn holds(&self, start: usize, keys: &[Key]) -> bool {
        let places = start..start + keys.len();
        match self {
            Pool::Narrow(pool) => pool[places]
                .iter()
                .zip(keys)
                .all(|(a, b)| Key::from(*a) == *b),
            Pool::Wide(pool) => pool[places] == *keys,
        }
    }

    fn shrink(&mut self) {
        match self {
            Pool::Narrow(pool) => pool.shrink_to_fit(),
            Pool::Wide(pool) => pool.shrink_to_fit(),
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        match self {
            Pool::Narrow(pool) => pool.capacity() * size_of::<u16>(),
            Pool::Wide(pool) => pool.capacity() * size_of::<u32>(),
        }
    }
}

/// Lists of demands, one after the other, of words that will be extended.
#[derive(Clone, Debug)]
pub(crate) struct PackedLists {
    pool: Pool,
    /// Where the lists of each block begin.
    bases: Vec<usize>,
    /// The end of each list, counted from the base of its block.
    ends: Vec<u32>,
}

impl PackedLists {
    pub(crate) fn new(space: KeySpace) -> Self {
        Self {
            pool: Pool::new(space),
            bases: Vec::new(),
            ends: Vec::new(),
        }
    }

    pub(crate) fn push(&mut self, demands: &[Key]) {
        if self.ends.len().is_multiple_of(LISTS_IN_BLOCK) {
            self.bases.push(self.pool.len());
        }
        self.pool.push(demands);
        let base = self.bases[self.bases.len() - 1];
        // A list has at most two demands for each variable, and there are fewer than 2^16
        // variables.
        self.ends.push((self.pool.len() - base) as u32);
    }

    /// Append the demands of a list to another.
    pub(crate) fn read(&self, index: usize, demands: &mut Vec<Key>) {
        let base = self.bases[index / LISTS_IN_BLOCK];
        let start = match index % LISTS_IN_BLOCK {
            0 => 0,
            _ => self.ends[index - 1],
        };
        let places = base + start as usize..base + self.ends[index] as usize;
        self.pool.read(places, demands);
    }

    /// Free unused memory.
    pub(crate) fn shrink(&mut self) {
        self.pool.shrink();
        self.ends.shrink_to_fit();
    }

    pub(crate) fn bytes(&self) -> usize {
        self.pool.bytes()
            + self.bases.capacity() * size_of::<usize>()
            + self.ends.capacity() * size_of::<u32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_come_back_whatever_their_width() {
        for n_constants in [3, 70_000] {
            let space = KeySpace::new(3, n_constants).unwrap();
            let mut lists = PackedLists::new(space);
            assert_eq!(
                matches!(lists.pool, Pool::Narrow(_)),
                space.len() <= 1 << 16
            );
            // More than a block, with empty lists at its borders.
            let list = |i: usize| (0..i % 4).map(move |k| (i + k) as Key % space.len() as Key);
            let n = 2 * LISTS_IN_BLOCK + 5;
            for i in 0..n {
                lists.push(&list(i).collect::<Vec<_>>());
            }
            let mut found = Vec::new();
            for i in 0..n {
                found.clear();
                lists.read(i, &mut found);
                assert!(list(i).eq(found.iter().copied()), "list {i}");
            }
        }
    }
}
