//! The generated states of one thread, on their way to the open buckets.

use std::sync::Arc;

use ahash::AHashMap;

use crate::best_first::searches::on_disk::error::Halt;
use crate::best_first::searches::on_disk::lists::{Key, Lists, Pile};
use crate::best_first::searches::on_disk::room::Room;

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
    /// The most targets, the bytes of each, and the words that wait for a part.
    most: usize,
    of_target: usize,
    of_part: usize,
    room: &'d Room,
    /// The duplicates that were found.
    pub(super) duplicates: u64,
}

impl<'d> Outbox<'d> {
    pub(super) fn new(lists: &Lists<'d>) -> Self {
        let (all, of_part) = lists.disk.room.shares.waiting;
        let n_words = lists.disk.n_words();
        let of_part = (of_part / size_of::<u64>() / n_words).max(1) * n_words;
        let of_target = of_part * size_of::<u64>() * lists.n_parts();
        Self {
            targets: Vec::new(),
            numbers: AHashMap::new(),
            recent: [0; RECENT],
            most: (all / of_target).max(1),
            of_target,
            of_part,
            room: &lists.disk.room,
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
        if waiting.len() >= self.of_part {
            self.duplicates += lists.extend(pile, part, waiting)?;
            waiting.clear();
        }
        Ok(())
    }

    #[cold]
    fn number(&mut self, lists: &Lists<'d>, key: Key) -> Result<usize, Halt> {
        if let Some(number) = self.numbers.get(&(key.g, key.h)) {
            return Ok(*number);
        }
        if self.targets.len() >= self.most {
            self.flush(lists)?;
        }
        let number = self.targets.len();
        self.room.claim(self.of_target);
        let parts = (0..lists.n_parts()).map(|_| Vec::with_capacity(self.of_part));
        self.targets.push(Target {
            pile: lists.pile(key)?,
            parts: parts.collect(),
        });
        self.numbers.insert((key.g, key.h), number);
        Ok(number)
    }

    /// Put all states into their buckets.
    pub(super) fn flush(&mut self, lists: &Lists<'d>) -> Result<(), Halt> {
        for target in self.targets.drain(..) {
            self.room.release(self.of_target);
            for (part, waiting) in target.parts.iter().enumerate() {
                if !waiting.is_empty() {
                    self.duplicates += lists.extend(&target.pile, part, waiting)?;
                }
            }
        }
        self.numbers.clear();
        Ok(())
    }
}
