//! The generated states of one thread, on their way to the open buckets.

use std::sync::Arc;

use ahash::AHashMap;

use crate::best_first::searches::on_disk::error::Halt;
use crate::best_first::searches::on_disk::lists::{Key, Lists, Pile};

/// The number of buckets that are found without looking them up.
const RECENT: usize = 16;

/// The states for one bucket.
struct Target<'d> {
    pile: Arc<Pile<'d>>,
    parts: Vec<Vec<u64>>,
}

/// States that wait until several for the same part of a bucket are together.
pub(super) struct Outbox<'d> {
    targets: Vec<Target<'d>>,
    numbers: AHashMap<(u64, u64), usize>,
    /// The numbers of targets, by the lowest bits of their costs and estimates.
    recent: [usize; RECENT],
    /// The words that wait, and the most of them, in all and for one part.
    waiting: usize,
    most: usize,
    most_of_part: usize,
    /// The duplicates that were found.
    pub(super) duplicates: u64,
}

impl<'d> Outbox<'d> {
    pub(super) fn new(lists: &Lists<'d>) -> Self {
        let room = &lists.disk.room;
        let (most, most_of_part) = room.shares.waiting;
        room.claim(most);
        Self {
            targets: Vec::new(),
            numbers: AHashMap::new(),
            recent: [0; RECENT],
            waiting: 0,
            most: most / size_of::<u64>(),
            most_of_part: most_of_part / size_of::<u64>(),
            duplicates: 0,
        }
    }

    /// Add a state.
    #[inline]
    pub(super) fn push(&mut self, lists: &Lists<'d>, key: Key, state: &[u64]) -> Result<(), Halt> {
        let place = (key.g ^ key.h.rotate_left(1)) as usize % RECENT;
        let mut number = self.recent[place];
        if self.targets.get(number).is_none_or(|it| it.pile.key != key) {
            number = self.number(lists, key)?;
            self.recent[place] = number;
        }
        let part = lists.part_of(state);
        let Target { pile, parts } = &mut self.targets[number];
        let waiting = &mut parts[part];
        waiting.extend_from_slice(state);
        self.waiting += state.len();
        if waiting.len() >= self.most_of_part {
            self.waiting -= waiting.len();
            self.duplicates += lists.extend(pile, part, waiting)?;
            waiting.clear();
        }
        if self.waiting > self.most {
            self.flush(lists)?;
        }
        Ok(())
    }

    #[cold]
    fn number(&mut self, lists: &Lists<'d>, key: Key) -> Result<usize, Halt> {
        if let Some(number) = self.numbers.get(&(key.g, key.h)) {
            return Ok(*number);
        }
        let number = self.targets.len();
        self.targets.push(Target {
            pile: lists.pile(key)?,
            parts: vec![Vec::new(); lists.n_parts()],
        });
        self.numbers.insert((key.g, key.h), number);
        Ok(number)
    }

    /// Put all states into their buckets.
    pub(super) fn flush(&mut self, lists: &Lists<'d>) -> Result<(), Halt> {
        for target in self.targets.drain(..) {
            for (part, waiting) in target.parts.iter().enumerate() {
                if !waiting.is_empty() {
                    self.duplicates += lists.extend(&target.pile, part, waiting)?;
                }
            }
        }
        self.numbers.clear();
        self.waiting = 0;
        Ok(())
    }
}
