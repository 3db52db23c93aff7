//! The memory of a search on a disk: what it holds, and when states must leave it.

pub(crate) mod words;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

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

/// The words of a long list, where the memory has room for far longer ones.
const MOST_USUAL: usize = 1 << 20;

/// The words of a block of a long list, about.
const BLOCK: usize = 1 << 10;

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A thread that panics while it holds a list ends the search.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

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
    /// Shares with which almost all states go to files, a few at a time: for tests.
    pub(super) const TINY: Self = Self {
        full: 0,
        space: 0,
        buffer: 600,
        list: 100,
        waiting: (100, 40),
        buckets: usize::MAX,
        n_parts: 2,
    };

    /// Divide a limit among threads that hold states of `n_words` words. Return `None` if it is too
    /// small.
    ///
    /// Three eighths are for states, a quarter for the buffers of files, an eighth for the
    /// descriptions of buckets, and a sixteenth for states that wait in the threads. The rest is
    /// for lists while they grow. A thread merges the runs of one list, compares with closed
    /// states, and perhaps merges the runs of another list meanwhile.
    pub(super) fn of(limit: usize, n_threads: usize, n_words: usize) -> Option<Self> {
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
        (limit >= LEAST && shares.buffer >= size_of::<u64>() * n_words).then_some(shares)
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
    /// The words of a block of a list, a whole number of states.
    pub(super) block_words: usize,
    /// Blocks to be used again.
    blocks: Mutex<Vec<Vec<u64>>>,
    /// Long lists to be used again where states are sorted.
    scratches: Mutex<Vec<Vec<u64>>>,
}

impl Room {
    /// Make an empty room for states of `n_words` words.
    pub(super) fn new(shares: Shares, n_words: usize) -> Self {
        Self {
            block_words: (BLOCK / n_words).max(1) * n_words,
            blocks: Mutex::default(),
            scratches: Mutex::default(),
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

    /// Count bytes of states.
    pub(super) fn claim_for_states(&self, bytes: usize) {
        self.claim(bytes);
        self.of_states.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Count bytes that states no longer use.
    pub(super) fn release_of_states(&self, bytes: usize) {
        self.release(bytes);
        self.of_states.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// Return an empty block of a list, of at most the size of blocks.
    ///
    /// # Errors
    /// If the system has no more memory.
    pub(super) fn block(&self, n_words: usize) -> Result<Vec<u64>, StopReason> {
        if n_words == self.block_words
            && let Some(block) = lock(&self.blocks).pop()
        {
            self.release(block.capacity() * size_of::<u64>());
            return Ok(block);
        }
        let mut block = Vec::new();
        let reserved = block.try_reserve_exact(n_words);
        reserved.map_err(|_| StopReason::Memory)?;
        Ok(block)
    }

    /// Take back a block of a list.
    pub(super) fn take_back(&self, mut block: Vec<u64>) {
        let bytes = block.capacity() * size_of::<u64>();
        self.release_of_states(bytes + size_of::<Vec<u64>>());
        let mut blocks = lock(&self.blocks);
        let is_wanted = (blocks.len() + 1) * bytes <= self.shares.list;
        if block.capacity() == self.block_words && is_wanted {
            block.clear();
            self.claim(bytes);
            blocks.push(block);
        }
    }

    /// Return an empty list with room for `n_words` words.
    ///
    /// # Errors
    /// If the system has no more memory.
    pub(super) fn scratch(&self, n_words: usize) -> Result<Vec<u64>, StopReason> {
        let mut scratch = lock(&self.scratches).pop().unwrap_or_default();
        self.release(scratch.capacity() * size_of::<u64>());
        // Usually the next list is as long.
        let usual = (self.shares.list / size_of::<u64>() / 2).min(MOST_USUAL);
        let wanted = n_words.max(usual);
        let reserved = scratch.try_reserve_exact(wanted);
        reserved.map_err(|_| StopReason::Memory)?;
        self.claim(scratch.capacity() * size_of::<u64>());
        Ok(scratch)
    }

    /// Take back a list.
    pub(super) fn put_back(&self, mut scratch: Vec<u64>) {
        scratch.clear();
        lock(&self.scratches).push(scratch);
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

/// A count of the bytes of buffers, which ends with the value.
#[derive(Debug)]
pub(super) struct Buffers<'d> {
    room: &'d Room,
    bytes: usize,
}

impl<'d> Buffers<'d> {
    pub(super) fn new(room: &'d Room, bytes: usize) -> Self {
        room.claim(bytes);
        Self { room, bytes }
    }
}

impl Drop for Buffers<'_> {
    fn drop(&mut self) {
        self.room.release(self.bytes);
    }
}
