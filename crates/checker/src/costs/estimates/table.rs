//! Looking states up in a list of entries.
//!
//! States are packed into keys. A move changes few values, so the key of a successor is that of the
//! state with a few numbers added to it.

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
///
/// Entries ascend, and so do their keys, by the last word first. The successors by one move of
/// entries that follow each other are near each other as well: a search begins where the one before
/// ended, and most of them end after a few steps.
pub(crate) struct Table<'c> {
    entries: &'c Entries,
    packing: Packing,
    n_words: usize,
    /// The keys of all entries.
    keys: Vec<u64>,
}

impl<'c> Table<'c> {
    pub(crate) fn new(entries: &'c Entries, packing: Packing) -> Self {
        let mut keys = Vec::new();
        let (mut state, mut key) = (Vec::new(), Vec::new());
        for entry in 0..entries.len() {
            entries.read_state(entry, &mut state);
            packing.key(&state, &mut key);
            keys.extend(&key);
        }
        Self {
            entries,
            packing,
            n_words: packing.n_words(entries.width),
            keys,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The key of an entry.
    pub(crate) fn key(&self, entry: usize) -> &[u64] {
        &self.keys[entry * self.n_words..][..self.n_words]
    }

    /// The number of an entry.
    pub(crate) fn number(&self, entry: usize) -> u64 {
        self.entries.number(entry)
    }

    /// The number that the entry with a state has, if there is one.
    pub(crate) fn find(&self, state: &[u32]) -> Option<u64> {
        let mut key = Vec::new();
        self.packing.key(state, &mut key);
        self.find_near(&mut 0, &key)
    }

    /// The number that the entry has to whose state a move leads from `state`, that of an entry.
    pub(crate) fn find_successor(
        &self,
        entry: usize,
        state: &[u32],
        (number, step): (usize, &Step),
        search: &mut SuccessorSearch,
    ) -> Option<u64> {
        let SuccessorSearch { key, nearby } = search;
        key.clear();
        key.extend_from_slice(self.key(entry));
        for (position, value) in step.changes(state) {
            self.packing.change(key, position, state[position], value);
        }
        if nearby.len() <= number {
            nearby.resize(number + 1, entry);
        }
        self.find_near(&mut nearby[number], key)
    }

    /// Look for a key from an entry on, in both directions, and leave the place where it is or
    /// would be.
    fn find_near(&self, near: &mut usize, key: &[u64]) -> Option<u64> {
        let comes_before = |entry: usize| self.key(entry).iter().rev().lt(key.iter().rev());
        let n = self.len();
        let mut stride = 1;
        // What is before `first` comes before the key, and nothing from `last` on does.
        let (mut first, mut last);
        if *near < n && comes_before(*near) {
            first = *near + 1;
            while first + stride <= n && comes_before(first + stride - 1) {
                first += stride;
                stride *= 2;
            }
            last = n.min(first + stride - 1);
        } else {
            last = n.min(*near);
            while stride <= last && !comes_before(last - stride) {
                last -= stride;
                stride *= 2;
            }
            first = (last + 1).saturating_sub(stride);
        }
        while first < last {
            let middle = first + (last - first) / 2;
            if comes_before(middle) {
                first = middle + 1;
            } else {
                last = middle;
            }
        }
        *near = first;
        (first < n && self.key(first) == key).then(|| self.number(first))
    }
}

/// What looking for successors overwrites.
#[derive(Default)]
pub(crate) struct SuccessorSearch {
    key: Vec<u64>,
    /// For each move the place where its last successor was found.
    nearby: Vec<usize>,
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

    /// From each place each key is found, and none that isn't there.
    #[test]
    fn keys_are_found_from_all_places() {
        let packing = Packing::of(&[1 << 22, 8, 1 << 22]);
        for n in 0..20 {
            let mut entries = Entries::of_width(3);
            for number in 0..n {
                entries.push(&[2 * number + 1, number % 8, number / 4], number, 1);
            }
            let table = Table::new(&entries, packing);
            assert_eq!(table.n_words, 2);
            let mut key = Vec::new();
            for near in 0..=n as usize {
                for wanted in 0..2 * n + 2 {
                    let number = wanted / 2;
                    packing.key(&[wanted, number % 8, number / 4], &mut key);
                    let mut place = near;
                    let found = table.find_near(&mut place, &key);
                    let is_there = wanted % 2 == 1 && number < n;
                    assert_eq!(found, is_there.then_some(number.into()));
                    let is_place = |entry: usize| number.min(n) as usize == entry;
                    assert!(is_place(place), "{n} {near} {wanted} {place}");
                }
            }
        }
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
