//! A sleep-set machine, built state by state as it is explored.

use std::collections::HashMap;

use ahash::RandomState;

use crate::machine::recognizer::number;
use crate::order::WordOrder;
use crate::pairs::swaps::ProvedSwaps;

/// Sets of sleeping letters, numbered in the order of discovery. The first one is empty.
///
/// Letter a is asleep after a word if its last letters are some `o_1 ... o_k`, k > 0, such that
/// each of them has a swap with a, and a comes before `o_1`. See [`ProvedSwaps`].
pub(crate) struct Asleep<'a> {
    swaps: &'a ProvedSwaps,
    order: WordOrder<'a>,
    /// Sorted letters.
    sets: Vec<Box<[u32]>>,
    number_of: HashMap<Box<[u32]>, u32, RandomState>,
}

impl<'a> Asleep<'a> {
    pub(crate) fn new(swaps: &'a ProvedSwaps, order: WordOrder<'a>) -> Self {
        Self {
            swaps,
            order,
            sets: vec![Box::default()],
            number_of: HashMap::from_iter([(Box::default(), 0)]),
        }
    }

    /// The letters asleep after one more letter, as the number of their set; `None` if the letter
    /// is asleep.
    pub(crate) fn step(&mut self, set: u32, letter: u32) -> Option<u32> {
        let set = &self.sets[set as usize];
        if set.binary_search(&letter).is_ok() {
            return None;
        }
        // A letter stays asleep as long as it commutes; the new letter puts others to sleep.
        let stays = |other: &u32| set.binary_search(other).is_ok();
        let falls = |other: &u32| self.order.is_rule_before(*other, letter);
        let swapped = self.swaps.with(letter).iter();
        let next: Box<[u32]> = swapped
            .filter(|other| stays(other) || falls(other))
            .copied()
            .collect();
        if let Some(number) = self.number_of.get(&next) {
            return Some(*number);
        }
        let number = number(self.sets.len());
        self.sets.push(next.clone());
        self.number_of.insert(next, number);
        Some(number)
    }
}
