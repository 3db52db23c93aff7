//! The open states in buckets by path cost and estimate, and the closed ones.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use sorted_states::{Ascending, FileError, Merge, Runs};

use crate::best_first::searches::on_disk::error::Halt;
use crate::best_first::searches::on_disk::room::words::Words;
use crate::best_first::searches::on_disk::room::{FAN, lock};
use crate::best_first::searches::on_disk::sets::{Disk, Feed, Set, SetWriter, sort};
use crate::best_first::space::packed::hash;
use crate::run::limits::StopReason;

/// The path cost and the estimate of the states of a bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Key {
    pub(super) g: u64,
    pub(super) h: u64,
}

impl Key {
    /// Return the place in the order of expansion: by f, then by g.
    fn order(self) -> (u128, u64) {
        (u128::from(self.g) + u128::from(self.h), self.g)
    }
}

/// A part of a bucket of open states, which may be there several times.
#[derive(Debug)]
pub(super) struct OpenPart<'d> {
    waiting: Words<'d>,
    runs: Runs,
    n_states: u64,
}

/// A bucket of open states.
#[derive(Debug)]
pub(super) struct Pile<'d> {
    pub(super) key: Key,
    parts: Vec<Mutex<OpenPart<'d>>>,
}

impl Pile<'_> {
    pub(super) fn n_states(&self) -> u64 {
        self.parts.iter().map(|part| lock(part).n_states).sum()
    }
}

/// A bucket of closed states.
#[derive(Debug)]
pub(super) struct Closed<'d> {
    pub(super) key: Key,
    /// The number of buckets that were closed before.
    pub(super) turn: u64,
    parts: Vec<Mutex<Set<'d>>>,
}

impl<'d> Closed<'d> {
    pub(super) fn new(key: Key, turn: u64, disk: &'d Disk) -> Self {
        let empty = |_| Mutex::new(Set::empty(disk));
        Self {
            key,
            turn,
            parts: (0..disk.room.shares.n_parts).map(empty).collect(),
        }
    }

    pub(super) fn part(&self, part: usize) -> Set<'d> {
        lock(&self.parts[part]).clone()
    }

    pub(super) fn put(&self, part: usize, set: Set<'d>) {
        *lock(&self.parts[part]) = set;
    }
}

/// The amount of states: their number, and their bytes in memory and in files.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Amount {
    pub(super) states: u64,
    pub(super) bytes: u64,
}

impl Amount {
    fn add(&mut self, (states, bytes): (u64, u64)) {
        self.states += states;
        self.bytes += bytes;
    }
}

/// All states of a search.
#[derive(Debug)]
pub(super) struct Lists<'d> {
    pub(super) disk: &'d Disk,
    open: Mutex<BTreeMap<(u128, u64), Arc<Pile<'d>>>>,
    /// By estimate.
    closed: Mutex<BTreeMap<u64, Vec<Arc<Closed<'d>>>>>,
    /// Held by the thread that moves states from the memory to files.
    moving: Mutex<()>,
}

impl<'d> Lists<'d> {
    pub(super) fn new(disk: &'d Disk) -> Self {
        Self {
            disk,
            open: Mutex::default(),
            closed: Mutex::default(),
            moving: Mutex::default(),
        }
    }

    /// Return the number of parts of a bucket. Threads work on different parts.
    pub(super) fn n_parts(&self) -> usize {
        self.disk.room.shares.n_parts
    }

    /// Return the part of a state, given by bits of its hash.
    #[inline]
    pub(super) fn part_of(&self, state: &[u64]) -> usize {
        hash(state) as usize & (self.n_parts() - 1)
    }

    /// Return an open bucket, which is made if it is missing.
    pub(super) fn pile(&self, key: Key) -> Result<Arc<Pile<'d>>, StopReason> {
        let mut open = lock(&self.open);
        if let Some(pile) = open.get(&key.order()) {
            return Ok(Arc::clone(pile));
        }
        // With its closed bucket.
        let bytes = self.n_parts() * size_of::<(Mutex<OpenPart<'_>>, Mutex<Set<'_>>, Words<'_>)>();
        self.disk.room.claim_for_bucket(bytes)?;
        let empty = |_| {
            Mutex::new(OpenPart {
                waiting: Words::new(&self.disk.room),
                runs: Runs::new(FAN),
                n_states: 0,
            })
        };
        let pile = Arc::new(Pile {
            key,
            parts: (0..self.n_parts()).map(empty).collect(),
        });
        open.insert(key.order(), Arc::clone(&pile));
        Ok(pile)
    }

    /// Take the bucket that is next in the order of expansion.
    pub(super) fn next(&self) -> Option<Arc<Pile<'d>>> {
        lock(&self.open).pop_first().map(|(_, pile)| pile)
    }

    /// Return the closed buckets with this estimate.
    pub(super) fn closed(&self, h: u64) -> Vec<Arc<Closed<'d>>> {
        lock(&self.closed).get(&h).cloned().unwrap_or_default()
    }

    /// Return all closed buckets.
    pub(super) fn all_closed(&self) -> Vec<Arc<Closed<'d>>> {
        lock(&self.closed).values().flatten().cloned().collect()
    }

    /// Add a closed bucket.
    pub(super) fn close(&self, bucket: &Arc<Closed<'d>>) {
        let mut closed = lock(&self.closed);
        let with_estimate = closed.entry(bucket.key.h).or_default();
        with_estimate.push(Arc::clone(bucket));
    }

    /// Return the amounts of closed and of open states.
    pub(super) fn amounts(&self) -> (Amount, Amount) {
        let n_words = self.disk.n_words();
        let (mut closed, mut open) = (Amount::default(), Amount::default());
        for bucket in self.all_closed() {
            for part in 0..self.n_parts() {
                closed.add(bucket.part(part).size(n_words));
            }
        }
        for pile in lock(&self.open).values() {
            for part in &pile.parts {
                let part = lock(part);
                let bytes = part.waiting.n_bytes() as u64 + part.runs.n_bytes();
                open.add((part.n_states, bytes));
            }
        }
        (closed, open)
    }

    /// Add states to a part of an open bucket. Return the number of duplicates that were found.
    pub(super) fn extend(
        &self,
        pile: &Pile<'d>,
        number: usize,
        words: &[u64],
    ) -> Result<u64, Halt> {
        let n_words = self.disk.n_words();
        let mut part = lock(&pile.parts[number]);
        part.waiting.extend(words)?;
        part.n_states += (words.len() / n_words) as u64;
        let is_full = 2 * part.waiting.n_bytes() > self.disk.room.shares.list;
        let mut duplicates = 0;
        if is_full {
            duplicates += self.write_run(&mut part)?;
        }
        drop(part);
        if self.disk.room.is_full() {
            duplicates += self.move_states()?;
        }
        Ok(duplicates)
    }

    /// Write the waiting states of a part to a file. Return the number of duplicates among them.
    fn write_run(&self, part: &mut OpenPart<'d>) -> Result<u64, Halt> {
        let mut waiting = part.waiting.take();
        let mut duplicates = sort(&mut waiting, self.disk.n_words())?;
        part.runs.add(self.disk.write(&waiting)?);
        drop(waiting);
        if part.runs.is_full() {
            let _buffers = self.disk.buffers(FAN + 1);
            duplicates += part.runs.merge(&self.disk.files)?;
        }
        part.n_states -= duplicates;
        Ok(duplicates)
    }

    /// Merge sets.
    pub(super) fn merge<'s>(
        &self,
        sets: impl IntoIterator<Item = &'s Set<'d>>,
    ) -> Result<Merge<Feed<'d>>, FileError>
    where
        'd: 's,
    {
        let feeds = sets.into_iter().map(|set| set.feed(self.disk));
        Merge::new(feeds.collect::<Result<_, _>>()?)
    }

    /// Collect the states of a merge that aren't known. Return their number.
    pub(super) fn collect(
        &self,
        merge: &mut Merge<Feed<'d>>,
        mut known: Merge<Feed<'d>>,
    ) -> Result<(Set<'d>, u64), Halt> {
        let mut writer = SetWriter::new(self.disk);
        let mut n_states = 0;
        while merge.advance()? {
            if !known.skip_to(merge.state())? {
                writer.push(merge.state())?;
                n_states += 1;
            }
        }
        Ok((writer.finish()?, n_states))
    }

    /// Take a part of a bucket, as ascending sets. Return the number of duplicates that were found
    /// meanwhile.
    pub(super) fn take(&self, pile: &Pile<'d>, number: usize) -> Result<(Vec<Set<'d>>, u64), Halt> {
        let mut part = lock(&pile.parts[number]);
        let mut waiting = part.waiting.take();
        let mut sets: Vec<Set<'_>> = part.runs.take().into_iter().map(Set::File).collect();
        part.n_states = 0;
        drop(part);
        let duplicates = sort(&mut waiting, self.disk.n_words())?;
        if !waiting.is_empty() {
            sets.push(Set::Memory(Arc::new(waiting)));
        }
        Ok((sets, duplicates))
    }

    /// Move states from the memory to files, the largest lists first. Return the number of
    /// duplicates that were found.
    fn move_states(&self) -> Result<u64, Halt> {
        let _moving = lock(&self.moving);
        let room = &self.disk.room;
        // Another thread may have done it.
        if !room.is_full() {
            return Ok(0);
        }
        enum Place<'d> {
            Open(Arc<Pile<'d>>),
            Closed(Arc<Closed<'d>>),
        }
        let mut places = Vec::new();
        for pile in lock(&self.open).values() {
            for (number, part) in pile.parts.iter().enumerate() {
                let bytes = lock(part).waiting.n_bytes();
                places.push((bytes, Place::Open(Arc::clone(pile)), number));
            }
        }
        for bucket in self.all_closed() {
            for number in 0..self.n_parts() {
                if let Set::Memory(words) = bucket.part(number) {
                    places.push((words.n_bytes(), Place::Closed(Arc::clone(&bucket)), number));
                }
            }
        }
        places.retain(|(bytes, ..)| *bytes > 0);
        places.sort_by_key(|(bytes, ..)| std::cmp::Reverse(*bytes));
        let mut duplicates = 0;
        for (_, place, number) in places {
            if room.has_space() {
                break;
            }
            match place {
                Place::Open(pile) => {
                    let mut part = lock(&pile.parts[number]);
                    if !part.waiting.is_empty() {
                        duplicates += self.write_run(&mut part)?;
                    }
                }
                Place::Closed(bucket) => {
                    if let Set::Memory(words) = bucket.part(number) {
                        let file = self.disk.write(&words)?;
                        bucket.put(number, Set::File(file));
                    }
                }
            }
        }
        Ok(duplicates)
    }
}
