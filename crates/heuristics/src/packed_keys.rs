//! States packed in words, as the keys of a table.

use std::hash::{BuildHasherDefault, Hasher};

use psvn_ir::{Game, Value};
use search::hash_packed;

/// A table whose keys are packed states.
pub(crate) type PackedTable<V> =
    std::collections::HashMap<Box<[u64]>, V, BuildHasherDefault<PackedHasher>>;

/// The words of a state on the stack; larger states are allocated.
const MOST_ON_STACK: usize = 4;

/// How the states of a game are packed: with the same number of bits for each value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Packing {
    bits: u32,
    n_words: usize,
}

impl Packing {
    pub(crate) fn of(game: &Game) -> Self {
        let sizes = game.domains().iter().map(psvn_ir::Domain::size);
        let greatest = sizes.max().unwrap_or(1).saturating_sub(1);
        let bits = greatest.checked_ilog2().map_or(1, |log| log + 1);
        let per_word = (u64::BITS / bits) as usize;
        Self {
            bits,
            n_words: game.n_variables().div_ceil(per_word),
        }
    }

    /// Return the bytes of a key.
    pub(crate) fn n_bytes(self) -> usize {
        self.n_words * size_of::<u64>()
    }

    /// Call `read` with the words of a state.
    #[inline]
    pub(crate) fn with_key<T>(
        self,
        values: impl Iterator<Item = Value>,
        read: impl FnOnce(&[u64]) -> T,
    ) -> T {
        if self.n_words <= MOST_ON_STACK {
            let mut words = [0; MOST_ON_STACK];
            self.pack(values, &mut words);
            return read(&words[..self.n_words]);
        }
        let mut words = vec![0; self.n_words];
        self.pack(values, &mut words);
        read(&words)
    }

    #[inline]
    fn pack(self, values: impl Iterator<Item = Value>, words: &mut [u64]) {
        let (mut word, mut shift) = (0, 0);
        for value in values {
            if shift + self.bits > u64::BITS {
                word += 1;
                shift = 0;
            }
            words[word] |= u64::from(value.0) << shift;
            shift += self.bits;
        }
    }
}

/// Hashes packed states as searches do. All keys of a table have the same number of words.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PackedHasher(u64);

impl Hasher for PackedHasher {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks();
        debug_assert!(rest.is_empty(), "keys are words");
        for word in words {
            self.0 = hash_packed(&[self.0 ^ u64::from_ne_bytes(*word)]);
        }
    }

    #[inline]
    fn write_usize(&mut self, _length: usize) {}

    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::hash::BuildHasher;

    use super::*;

    /// Values of 1, 3 and 9 bits, in one word and in several.
    #[test]
    fn keys_and_hashes_are_those_of_one_state_each() {
        for (size, n_variables) in [(2, 10), (2, 70), (5, 21), (5, 22), (300, 40)] {
            let rows = format!("{n_variables} {}", format!("{size} ").repeat(n_variables));
            let game = psvn_ir::load(&rows).game.expect("a game without errors");
            let packing = Packing::of(&game);
            let state = |number: u32| {
                let value = move |var: u32| Value((number >> (var % 8) & 1) * (size - 1));
                (0..n_variables as u32).map(value)
            };
            let key = |number| packing.with_key(state(number), <[u64]>::to_vec);
            let keys: HashSet<Vec<u64>> = (0..256).map(key).collect();
            assert_eq!(keys.len(), 256);
            let hasher = BuildHasherDefault::<PackedHasher>::default();
            let hashes: HashSet<u64> = keys.iter().map(|key| hasher.hash_one(&**key)).collect();
            assert_eq!(hashes.len(), 256);
            let by_search = keys.iter().map(|key| hash_packed(key)).collect();
            assert_eq!(hashes, by_search);
        }
    }
}
