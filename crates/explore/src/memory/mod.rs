//! States in memory, in buckets by their hash.

mod bucket;
mod outbox;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use budget::StopReason;
use rayon::prelude::*;

use crate::expansion::{Expansion, widen};
use crate::memory::bucket::{Bucket, Insertion};
use crate::memory::outbox::Outbox;
use crate::symmetric::Representative;

/// Buckets: few enough that what waits for them fits a cache, many enough that one of them does.
const BUCKETS: usize = 1 << 12;
/// The states of a bucket that are copied out to be expanded.
const CHUNK: usize = 512;
/// The states that wait for one bucket.
const WAITING: usize = 32;

/// All states that a new one can equal, each one once.
pub(crate) struct Memory<const W: usize> {
    buckets: Vec<Mutex<Bucket<W>>>,
}

fn lock<const W: usize>(bucket: &Mutex<Bucket<W>>) -> std::sync::MutexGuard<'_, Bucket<W>> {
    bucket
        .lock()
        .expect("no thread panics while it holds a bucket")
}

/// Go through all layers. The states of the next layer that were found when it stopped, and some
/// states of the last layer.
pub(crate) fn explore<const W: usize>(
    expansion: &mut Expansion<'_>,
    roots: &[Vec<u64>],
) -> (u64, bool, Vec<[u64; W]>) {
    let memory = Memory::<W> {
        buckets: (0..BUCKETS)
            .map(|_| Mutex::new(Bucket::default()))
            .collect(),
    };
    let mut outbox = Outbox::new(BUCKETS, WAITING);
    let mut representative = expansion.representative();
    for root in roots {
        let root = widen(representative.of(root));
        memory.add(expansion, &mut outbox, root);
    }
    memory.flush(expansion, &mut outbox);
    drop(outbox);
    let mut is_whole = false;
    let mut beyond = memory.count(Bucket::n_new);
    if !expansion.is_stopped() {
        loop {
            memory.next_layer(expansion);
            let stored = std::mem::take(&mut beyond);
            let states = match expansion.images {
                Some(_) => memory.n_images(expansion),
                None => stored,
            };
            expansion.complete(states, stored);
            if expansion.is_deep_enough() {
                // Whether there is more is known only where nothing can follow.
                break;
            }
            memory.expand(expansion);
            beyond = memory.count(Bucket::n_new);
            if expansion.is_stopped() {
                break;
            }
            if beyond == 0 {
                is_whole = true;
                break;
            }
        }
    }
    let farthest = memory.first_of_layer(expansion.options.farthest);
    (beyond, is_whole, farthest)
}

impl<const W: usize> Memory<W> {
    fn count(&self, of: impl Fn(&Bucket<W>) -> usize) -> u64 {
        self.buckets
            .iter()
            .map(|bucket| of(&lock(bucket)) as u64)
            .sum()
    }

    /// Expand the last complete layer.
    fn expand(&self, expansion: &Expansion<'_>) {
        let turn = AtomicUsize::new(0);
        rayon::broadcast(|_| {
            let mut outbox = Outbox::new(BUCKETS, WAITING);
            expansion.account(0, outbox.bytes());
            let mut moves = expansion.states.moves(expansion.direction);
            let mut representative = expansion.representative();
            let n_words = expansion.states.n_words();
            let mut chunk: Vec<[u64; W]> = Vec::with_capacity(CHUNK);
            loop {
                let number = turn.fetch_add(1, Ordering::Relaxed);
                let Some(bucket) = self.buckets.get(number) else {
                    break;
                };
                let mut done = 0;
                while lock(bucket).copy_layer(done, CHUNK, &mut chunk) {
                    done += chunk.len();
                    let mut generated = 0;
                    for state in &chunk {
                        moves.each(&state[..n_words], |_, child| {
                            generated += 1;
                            let child = widen(representative.of(child));
                            self.add(expansion, &mut outbox, child);
                        });
                    }
                    if !expansion.goes_on(chunk.len() as u64, generated) {
                        break;
                    }
                }
                if expansion.is_stopped() {
                    break;
                }
            }
            self.flush(expansion, &mut outbox);
            expansion.account(outbox.bytes(), 0);
        });
    }

    #[inline]
    fn add(&self, expansion: &Expansion<'_>, outbox: &mut Outbox<W>, state: [u64; W]) {
        let n_words = expansion.states.n_words();
        let hash = expansion.states.hash(&state[..n_words]);
        let bucket = (hash >> (64 - BUCKETS.trailing_zeros())) as usize;
        if outbox.push(bucket, state) {
            self.insert(expansion, bucket, outbox.waiting(bucket));
            outbox.clear(bucket);
        }
    }

    fn flush(&self, expansion: &Expansion<'_>, outbox: &mut Outbox<W>) {
        for bucket in 0..BUCKETS {
            if !outbox.waiting(bucket).is_empty() {
                self.insert(expansion, bucket, outbox.waiting(bucket));
                outbox.clear(bucket);
            }
        }
    }

    fn insert(&self, expansion: &Expansion<'_>, number: usize, states: &[[u64; W]]) {
        let n_words = expansion.states.n_words();
        let mut bucket = lock(&self.buckets[number]);
        let before = bucket.bytes();
        bucket.reserve(states.len(), |state| {
            expansion.states.hash(&state[..n_words])
        });
        for state in states {
            let hash = expansion.states.hash(&state[..n_words]);
            if bucket.insert(state, hash) == Insertion::Full {
                expansion.stop(StopReason::Memory);
                break;
            }
        }
        let after = bucket.bytes();
        drop(bucket);
        if after != before {
            expansion.account(before, after);
        }
    }

    /// What is new becomes the layer to be expanded.
    fn next_layer(&self, expansion: &Expansion<'_>) {
        self.buckets.par_iter().for_each(|bucket| {
            let mut bucket = lock(bucket);
            let before = bucket.bytes();
            bucket.next_layer(expansion.forgets, |state| {
                expansion.states.hash(&state[..expansion.states.n_words()])
            });
            expansion.account(before, bucket.bytes());
        });
    }

    /// The states for which those of the layer to be expanded stand.
    fn n_images(&self, expansion: &Expansion<'_>) -> u64 {
        let n_words = expansion.states.n_words();
        let room = || (expansion.representative(), Vec::with_capacity(CHUNK));
        let of_bucket = |(representative, chunk): &mut (_, Vec<[u64; W]>), bucket: &Mutex<_>| {
            let representative: &mut Representative<'_> = representative;
            let (mut done, mut n) = (0, 0);
            while lock(bucket).copy_layer(done, CHUNK, chunk) {
                done += chunk.len();
                let states = chunk.iter();
                n += states
                    .map(|state| representative.n_images(&state[..n_words]))
                    .sum::<u64>();
            }
            n
        };
        let buckets = self.buckets.par_iter();
        buckets.map_init(room, of_bucket).sum()
    }

    /// The first states of the last complete layer, in the order of their words.
    fn first_of_layer(&self, most: usize) -> Vec<[u64; W]> {
        let mut first: Vec<[u64; W]> = Vec::new();
        let mut chunk = Vec::new();
        for bucket in &self.buckets {
            let mut done = 0;
            while most > 0 && lock(bucket).copy_layer(done, CHUNK, &mut chunk) {
                done += chunk.len();
                first.append(&mut chunk);
                if first.len() > 16 * (most + CHUNK) {
                    first.sort_unstable();
                    first.truncate(most);
                }
            }
        }
        first.sort_unstable();
        first.truncate(most);
        first
    }
}
