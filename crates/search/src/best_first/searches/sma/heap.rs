//! A heap whose items can be found, changed and removed by their numbers.

use crate::best_first::budget::Budget;
use crate::run::limits::StopReason;

/// Where an item that isn't in the heap stands.
const NOWHERE: u32 = u32::MAX;

/// The key of an item; the least comes first.
pub(super) type Key = (u64, u32);

/// A binary heap of numbered items.
#[derive(Debug, Default)]
pub(super) struct Heap {
    entries: Vec<(Key, u32)>,
    /// For each item, its place in the heap.
    places: Vec<u32>,
}

impl Heap {
    /// Make room for all items below this number, so that `set` needs no memory.
    pub(super) fn grow(&mut self, n_items: usize, budget: &mut Budget) -> Result<(), StopReason> {
        budget.grow(&mut self.entries, n_items)?;
        budget.grow(&mut self.places, n_items)
    }

    /// Add an item with the next number, which isn't in the heap.
    pub(super) fn name_item(&mut self) {
        self.places.push(NOWHERE);
    }

    /// Return the first item, with its key.
    pub(super) fn first(&self) -> Option<(Key, u32)> {
        self.entries.first().copied()
    }

    /// Put an item in, or change its key.
    pub(super) fn set(&mut self, item: u32, key: Key) {
        let mut at = self.places[item as usize] as usize;
        if at == NOWHERE as usize {
            at = self.entries.len();
            self.entries.push((key, item));
        }
        self.entries[at].0 = key;
        self.settle(at);
    }

    /// Take an item out, if it is in the heap.
    pub(super) fn remove(&mut self, item: u32) {
        let at = std::mem::replace(&mut self.places[item as usize], NOWHERE) as usize;
        if at == NOWHERE as usize {
            return;
        }
        self.entries.swap_remove(at);
        if at < self.entries.len() {
            self.settle(at);
        }
    }

    /// Return the size in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<(Key, u32)>()
            + self.places.capacity() * size_of::<u32>()
    }

    /// Move the entry at a place to where it belongs.
    fn settle(&mut self, mut at: usize) {
        while at > 0 && self.entries[at] < self.entries[(at - 1) / 2] {
            let above = (at - 1) / 2;
            self.exchange(at, above);
            at = above;
        }
        loop {
            let below = (2 * at + 1..2 * at + 3).filter(|it| *it < self.entries.len());
            match below.min_by_key(|it| self.entries[*it]) {
                Some(least) if self.entries[least] < self.entries[at] => {
                    self.exchange(at, least);
                    at = least;
                }
                _ => break,
            }
        }
        self.places[self.entries[at].1 as usize] = at as u32;
    }

    fn exchange(&mut self, one: usize, other: usize) {
        self.entries.swap(one, other);
        for at in [one, other] {
            self.places[self.entries[at].1 as usize] = at as u32;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use psvn_ir::testing::SplitMix64;

    use super::*;

    #[test]
    fn the_first_is_the_least_whatever_changes() {
        let mut random = SplitMix64::new(3);
        let mut heap = Heap::default();
        (0..50).for_each(|_| heap.name_item());
        let mut kept: BTreeMap<u32, Key> = BTreeMap::new();
        for _ in 0..5_000 {
            let item = random.next_u64() as u32 % 50;
            if random.next_u64().is_multiple_of(3) {
                heap.remove(item);
                kept.remove(&item);
            } else {
                let key = (random.next_u64() % 20, random.next_u64() as u32 % 3);
                heap.set(item, key);
                kept.insert(item, key);
            }
            let least = kept.iter().map(|(item, key)| (*key, *item)).min();
            assert_eq!(heap.first(), least);
        }
    }
}
