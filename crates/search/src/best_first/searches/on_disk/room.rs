//! The memory of a search on a disk: what it holds, and when states must leave it.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::run::limits::StopReason;

/// The number of files that a thread merges at once. Each one has a buffer.
pub(super) const FAN: usize = 32;

/// The most bytes that are read or written at once.
const MOST_AT_ONCE: usize = 1 << 16;

/// The least memory of a search.
const LEAST: usize = 1 << 16;

/// The most bytes that wait in one thread for one part of one bucket.
const MOST_WAITING: usize = 1 << 11;

/// The most parts of a bucket.
const MOST_PARTS: usize = 16;

/// The memory for which a bucket has one part more.
const FOR_A_PART: usize = 1 << 20;

/// How the memory of a search is divided.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shares {
    /// The bytes of states from which some must leave the memory, and those down to which they do.
    pub(super) full: usize,
    pub(super) space: usize,
    /// The bytes of the buffer of a file.
    pub(super) buffer: usize,
    /// The most bytes of one list of states.
    pub(super) list: usize,
    /// The most bytes of the states that wait in a thread: all of them, and for one part of one
    /// bucket.
    pub(super) waiting: (usize, usize),
    /// The most bytes of the descriptions of buckets.
    pub(super) buckets: usize,
    /// The number of parts of a bucket, a power of two.
    pub(super) n_parts: usize,
}

impl Shares {
    /// Divide a limit among threads that hold states of `record` bytes. Return `None` if it is too
    /// small.
    ///
    /// Three eighths are for states, a quarter for the buffers of files, an eighth for the
    /// descriptions of buckets, and a sixteenth for states that wait in the threads. The rest is
    /// for lists while they grow. A thread merges the runs of one list, compares with closed
    /// states, and perhaps merges the runs of another list meanwhile.
    pub(super) fn of(limit: usize, n_threads: usize, record: usize) -> Option<Self> {
        let waiting = limit / 16 / n_threads;
        let n_parts = (limit / FOR_A_PART).clamp(1, MOST_PARTS);
        let shares = Self {
            full: limit / 8 * 3,
            space: limit / 16 * 3,
            buffer: (limit / 4 / n_threads / (3 * FAN + 4)).min(MOST_AT_ONCE),
            list: limit / 8 / n_threads,
            waiting: (waiting, (waiting / 128).min(MOST_WAITING)),
            buckets: limit / 8,
            n_parts: 1 << n_parts.ilog2(),
        };
        (limit >= LEAST && shares.buffer >= record).then_some(shares)
    }
}

/// A count of the bytes that a search holds.
#[derive(Debug)]
pub(super) struct Room {
    pub(super) shares: Shares,
    used: AtomicUsize,
    peak: AtomicUsize,
    /// The bytes of states, out of those in use.
    of_states: AtomicUsize,
    /// The bytes of the descriptions of buckets, out of those in use.
    of_buckets: AtomicUsize,
}

impl Room {
    pub(super) fn new(shares: Shares) -> Self {
        Self {
            shares,
            used: AtomicUsize::new(0),
            peak: AtomicUsize::new(0),
            of_states: AtomicUsize::new(0),
            of_buckets: AtomicUsize::new(0),
        }
    }

    /// Return whether some states must leave the memory.
    pub(super) fn is_full(&self) -> bool {
        self.of_states.load(Ordering::Relaxed) > self.shares.full
    }

    /// Return whether enough states have left it.
    pub(super) fn has_space(&self) -> bool {
        self.of_states.load(Ordering::Relaxed) <= self.shares.space
    }

    /// Return the most bytes that were held at any time.
    pub(super) fn peak(&self) -> usize {
        self.peak.load(Ordering::Relaxed)
    }

    /// Count bytes that are about to be used.
    pub(super) fn claim(&self, bytes: usize) {
        let used = self.used.fetch_add(bytes, Ordering::Relaxed) + bytes;
        self.peak.fetch_max(used, Ordering::Relaxed);
    }

    /// Count bytes that are no longer used.
    pub(super) fn release(&self, bytes: usize) {
        self.used.fetch_sub(bytes, Ordering::Relaxed);
    }

    fn give_back_states(&self, bytes: usize) {
        self.release(bytes);
        self.of_states.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// Count the bytes of the description of a bucket, which stays in memory.
    ///
    /// # Errors
    /// If there are too many buckets.
    pub(super) fn claim_for_bucket(&self, bytes: usize) -> Result<(), StopReason> {
        let all = self.of_buckets.fetch_add(bytes, Ordering::Relaxed) + bytes;
        if all > self.shares.buckets {
            return Err(StopReason::Memory);
        }
        self.claim(bytes);
        Ok(())
    }
}

/// States in memory, as words one after another. Their bytes are counted.
#[derive(Debug)]
pub(super) struct Words<'d> {
    words: Vec<u64>,
    room: &'d Room,
}

impl<'d> Words<'d> {
    pub(super) fn new(room: &'d Room) -> Self {
        Self {
            words: Vec::new(),
            room,
        }
    }

    /// Return the words, and leave none.
    pub(super) fn take(&mut self) -> Self {
        std::mem::replace(self, Self::new(self.room))
    }

    pub(super) fn room(&self) -> &'d Room {
        self.room
    }

    pub(super) fn as_slice(&self) -> &[u64] {
        &self.words
    }

    pub(super) fn as_mut_slice(&mut self) -> &mut [u64] {
        &mut self.words
    }

    pub(super) fn truncate(&mut self, n_words: usize) {
        self.words.truncate(n_words);
    }

    /// Give back the memory of words that don't exist.
    pub(super) fn shrink(&mut self) {
        let before = self.n_bytes();
        self.words.shrink_to_fit();
        self.room.give_back_states(before - self.n_bytes());
    }

    pub(super) fn n_bytes(&self) -> usize {
        self.words.capacity() * size_of::<u64>()
    }

    /// Append words.
    ///
    /// # Errors
    /// If the system has no more memory.
    pub(super) fn extend(&mut self, words: &[u64]) -> Result<(), StopReason> {
        if words.len() > self.words.capacity() - self.words.len() {
            self.grow(words.len())?;
        }
        self.words.extend_from_slice(words);
        Ok(())
    }

    #[cold]
    fn grow(&mut self, more: usize) -> Result<(), StopReason> {
        let (length, before) = (self.words.len(), self.n_bytes());
        let least = (length + more).max(length + length / 2).max(32);
        self.room.claim(least * size_of::<u64>());
        let grown = self.words.try_reserve_exact(least - length);
        self.room.release(least * size_of::<u64>());
        grown.map_err(|_| StopReason::Memory)?;
        let bytes = self.n_bytes() - before;
        self.room.claim(bytes);
        self.room.of_states.fetch_add(bytes, Ordering::Relaxed);
        Ok(())
    }
}

impl Drop for Words<'_> {
    fn drop(&mut self) {
        self.room.give_back_states(self.n_bytes());
    }
}
