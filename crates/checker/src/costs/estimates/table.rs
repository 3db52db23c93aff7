//! Looking states up in a list of entries.
//!
//! States are packed into keys. A move changes few values, so the key of a successor is that of the
//! state with a few numbers added to it.

use ahash::RandomState;
use hashbrown::HashTable;

use crate::costs::entries::Entries;
use crate::costs::estimates::abstraction::{Maps, mapped};
use crate::costs::setting::steps::Step;

/// How states are packed into keys of 64-bit words: each value takes as many bits as the greatest
/// one needs. Different states have different keys if all values are in domains of the game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Packing {
    bits: u32,
}

impl Packing {
    /// The packing for values of these domains.
    pub(crate) fn of(domains: &[u32]) -> Self {
        let greatest = domains.iter().max().unwrap_or(&1).saturating_sub(1);
        Self {
            bits: (u32::BITS - greatest.leading_zeros()).max(1),
        }
    }

    /// The words of the key of a state with `n` values; at least one.
    fn n_words(self, n: usize) -> usize {
        n.div_ceil(self.in_word()).max(1)
    }

    fn in_word(self) -> usize {
        (u64::BITS / self.bits) as usize
    }

    /// The word that has a value, and what the value adds to it.
    fn part(self, position: usize, value: u32) -> (usize, u64) {
        let shift = (position % self.in_word()) as u32 * self.bits;
        (position / self.in_word(), u64::from(value) << shift)
    }

    /// Put the key of a state into a vector.
    pub(crate) fn key(self, state: &[u32], key: &mut Vec<u64>) {
        key.clear();
        key.resize(self.n_words(state.len()), 0);
        for (position, value) in state.iter().enumerate() {
            let (word, part) = self.part(position, *value);
            key[word] += part;
        }
    }

    /// Change a value of the state that a key is of.
    pub(crate) fn change(self, key: &mut [u64], position: usize, old: u32, new: u32) {
        let (word, old) = self.part(position, old);
        let (_, new) = self.part(position, new);
        key[word] = key[word].wrapping_add(new).wrapping_sub(old);
    }
}

/// Entries in which states can be looked up by their keys.
pub(crate) struct Table<'c> {
    entries: &'c Entries,
    packing: Packing,
    n_words: usize,
    /// The keys of all entries.
    keys: Vec<u64>,
    /// The numbers of the entries, by their keys.
    index: HashTable<u32>,
    hash: RandomState,
}

impl<'c> Table<'c> {
    pub(crate) fn new(entries: &'c Entries, packing: Packing) -> Self {
        let mut table = Self {
            entries,
            packing,
            n_words: packing.n_words(entries.width),
            keys: Vec::new(),
            index: HashTable::with_capacity(entries.len()),
            hash: RandomState::new(),
        };
        let (mut state, mut key) = (Vec::new(), Vec::new());
        for number in 0..entries.len() {
            entries.read_state(number, &mut state);
            packing.key(&state, &mut key);
            table.keys.extend(&key);
            let number = u32::try_from(number).expect("a file of fewer than 2^32 entries");
            let (index, keys, hash) = (&mut table.index, &table.keys, &table.hash);
            let hash_of = |it: &u32| hash.hash_one(key_at(keys, key.len(), *it as usize));
            index.insert_unique(hash.hash_one(&key[..]), number, hash_of);
        }
        table
    }

    pub(crate) fn packing(&self) -> Packing {
        self.packing
    }

    /// Put the key of the state into `key` to which a step leads from `state`, that of an entry.
    pub(crate) fn successor<'k>(
        &self,
        entry: usize,
        state: &[u32],
        step: &Step,
        key: &'k mut Vec<u64>,
    ) -> &'k [u64] {
        key.clear();
        key.extend_from_slice(key_at(&self.keys, self.n_words, entry));
        for (position, value) in step.changes(state) {
            self.packing.change(key, position, state[position], value);
        }
        key
    }

    /// The number that the entry with a key has, if there is one.
    pub(crate) fn find(&self, key: &[u64]) -> Option<u64> {
        let is_same = |it: &u32| key_at(&self.keys, self.n_words, *it as usize) == key;
        let found = self.index.find(self.hash.hash_one(key), is_same)?;
        Some(self.entries.number(*found as usize))
    }
}

fn key_at(keys: &[u64], n_words: usize, entry: usize) -> &[u64] {
    &keys[entry * n_words..][..n_words]
}

/// The keys of images of states in an abstract game.
pub(crate) struct ImageKeys {
    n_words: usize,
    /// For each variable the word that its value is added to, and what each value adds. Values
    /// without a number add nothing, and neither do variables that are left out.
    parts: Vec<(usize, Vec<u64>)>,
}

impl ImageKeys {
    pub(crate) fn new(maps: &Maps, packing: Packing) -> Self {
        let mut n_kept = 0;
        let mut parts_of = |map: &Option<Vec<u32>>| {
            let Some(map) = map else {
                return (0, Vec::new());
            };
            let position = n_kept;
            n_kept += 1;
            let parts = (0..map.len() as u32).map(|it| packing.part(position, mapped(map, it)).1);
            (packing.part(position, 0).0, parts.collect())
        };
        let parts = maps.iter().map(&mut parts_of).collect();
        Self {
            n_words: packing.n_words(n_kept),
            parts,
        }
    }

    /// Put the key of the image of a state into a vector.
    pub(crate) fn key(&self, state: &[u32], key: &mut Vec<u64>) {
        key.clear();
        key.resize(self.n_words, 0);
        for (variable, value) in state.iter().enumerate() {
            let (word, part) = self.part(variable, *value);
            key[word] += part;
        }
    }

    /// Change a value of the state that a key is of.
    pub(crate) fn change(&self, key: &mut [u64], variable: usize, old: u32, new: u32) {
        let (word, old) = self.part(variable, old);
        let (_, new) = self.part(variable, new);
        key[word] = key[word].wrapping_add(new).wrapping_sub(old);
    }

    /// Whether two values of a variable have different images.
    pub(crate) fn tells_apart(&self, variable: usize, one: u32, other: u32) -> bool {
        self.part(variable, one) != self.part(variable, other)
    }

    fn part(&self, variable: usize, value: u32) -> (usize, u64) {
        let (word, parts) = &self.parts[variable];
        (*word, parts.get(value as usize).copied().unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_take_as_many_bits_as_the_greatest_one_needs() {
        let in_word = |size| Packing::of(&[1, size]).in_word();
        assert_eq!(
            [1, 2, 3, 16, 17, 1 << 31].map(in_word),
            [64, 64, 32, 16, 12, 2]
        );
        let packing = Packing::of(&[16; 17]);
        let state: Vec<u32> = (0..16).chain([5]).collect();
        let mut key = Vec::new();
        packing.key(&state, &mut key);
        assert_eq!(key, [0xfedc_ba98_7654_3210, 5]);
        packing.change(&mut key, 15, 15, 0);
        packing.change(&mut key, 16, 5, 6);
        assert_eq!(key, [0x0edc_ba98_7654_3210, 6]);
        packing.key(&[], &mut key);
        assert_eq!(key, [0]);
    }

    #[test]
    fn entries_are_found_by_their_keys() {
        let packing = Packing::of(&[300, 4]);
        let mut entries = Entries::of_width(2);
        for number in 0..1200 {
            entries.push(&[number % 300, number / 300], number, 1);
        }
        let table = Table::new(&entries, packing);
        let mut key = Vec::new();
        for number in 0..1200 {
            packing.key(&[number % 300, number / 300], &mut key);
            assert_eq!(table.find(&key), Some(number.into()));
        }
        packing.key(&[300, 0], &mut key);
        assert_eq!(table.find(&key), None);
    }

    #[test]
    fn keys_of_images_follow_changes() {
        let packing = Packing::of(&[3; 3]);
        // The second variable is left out, and the last value of the third one has no number.
        let maps = vec![Some(vec![0, 1, 1]), None, Some(vec![2, 1])];
        let keys = ImageKeys::new(&maps, packing);
        let (mut key, mut image) = (Vec::new(), Vec::new());
        keys.key(&[2, 2, 0], &mut key);
        packing.key(&[1, 2], &mut image);
        assert_eq!(key, image);
        assert!(!keys.tells_apart(0, 2, 1) && !keys.tells_apart(1, 2, 0));
        assert!(keys.tells_apart(2, 0, 2));
        keys.change(&mut key, 0, 2, 1);
        keys.change(&mut key, 1, 2, 0);
        keys.change(&mut key, 2, 0, 2);
        packing.key(&[1, 0], &mut image);
        assert_eq!(key, image);
    }
}
