//! States in memory, in buckets by their hash.

mod bucket;
mod outbox;
mod words;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use budget::StopReason;
use rayon::prelude::*;

use crate::expansion::{Expansion, GoalTest};
use crate::memory::bucket::Bucket;
use crate::memory::outbox::Outbox;
use crate::report::MOST_WORDS;
use crate::symmetric::Representative;

/// The number of buckets: few enough that the states waiting for them fit a cache, many enough that
/// one bucket does.
const BUCKETS: usize = 1 << 12;
/// The limits are checked once this number of states is expanded, or that number generated: some
/// games have a rule for each of a million values.
const MOST_EXPANDED: u64 = 512;
const MOST_GENERATED: u64 = 1 << 18;
/// The bytes of states that wait for their buckets, for each thread: the more states wait for a
/// bucket, the less often it is fetched into the cache. With a limit on memory, at most an eighth
/// of it, but room for at least `LEAST_WAITING` states in each bucket.
const WAITING_BYTES: usize = 4 << 20;
const LEAST_WAITING: usize = 8;
/// The maximum growth expected of a layer: it is expected to grow as the one before, and room is
/// made for nine tenths of it.
const MOST_GROWTH: f64 = 2.0;
const EXPECTED: f64 = 0.9;

/// The set of all states that a new one can equal.
pub(crate) struct Memory<const W: usize> {
    buckets: Vec<Mutex<Bucket<W>>>,
}

fn lock<const W: usize>(bucket: &Mutex<Bucket<W>>) -> std::sync::MutexGuard<'_, Bucket<W>> {
    bucket
        .lock()
        .expect("no thread panics while it holds a bucket")
}

/// Convert the words of a smaller state to an array.
fn widen<const W: usize>(words: &[u64]) -> [u64; W] {
    let mut state = [0; W];
    state[..words.len()].copy_from_slice(words);
    state
}

/// How an exploration in memory ended.
pub(crate) enum End {
    /// All layers that were asked for are complete, or a limit was reached.
    Explored {
        /// The number of states of the next layer found before a stop.
        beyond: u64,
        /// Whether there are no states beyond the last layer.
        is_whole: bool,
        /// The words of some states of the last layer.
        farthest: Vec<u64>,
    },
    /// Another storage takes less from here on. It has got the last two layers.
    HandedOver,
}

/// Another storage that may take over between two layers, where layers before the last two are
/// forgotten.
pub(crate) trait Successor {
    /// Return whether to take over after the complete layers, with states of this number of words.
    fn takes_over(&self, expansion: &Expansion<'_>, width: usize) -> bool;

    /// Take over. `states` calls its argument with the words of each state of the last two layers,
    /// and whether it is of the last one, from any thread, and forgets it afterwards.
    fn take_over(&mut self, expansion: &Expansion<'_>, states: &dyn Fn(EachState<'_>));
}

/// Receives the words of a state, and whether it is in the last layer, from any thread.
pub(crate) type EachState<'e> = &'e (dyn Fn(&[u64], bool) + Sync);

/// Find all layers of states of `width` words, or hand over to a successor.
pub(crate) fn explore(
    expansion: &mut Expansion<'_>,
    width: usize,
    roots: &[Vec<u64>],
    successor: Option<&mut dyn Successor>,
) -> End {
    match width {
        1 => explore_by::<1>(expansion, roots, successor),
        2 => explore_by::<2>(expansion, roots, successor),
        3 => explore_by::<3>(expansion, roots, successor),
        4 => explore_by::<4>(expansion, roots, successor),
        8 => explore_by::<8>(expansion, roots, successor),
        _ => explore_by::<MOST_WORDS>(expansion, roots, successor),
    }
}

/// Return the bytes that a number of states of `width` words takes at least.
pub(crate) fn least_bytes(width: usize, states: u64) -> u128 {
    let of_state = bucket::bytes_of_slot(width) as u128;
    u128::from(states) * of_state * 100 / bucket::FULL as u128
}

fn explore_by<const W: usize>(
    expansion: &mut Expansion<'_>,
    roots: &[Vec<u64>],
    mut successor: Option<&mut dyn Successor>,
) -> End {
    let memory = Memory::<W> {
        buckets: (0..BUCKETS)
            .map(|_| Mutex::new(Bucket::default()))
            .collect(),
    };
    let mut outbox = memory.outbox(expansion);
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
            let n_goals = memory.n_goals(expansion);
            expansion.found_goals(n_goals);
            expansion.complete(states, stored);
            if expansion.is_deep_enough() {
                // The set is known to be complete only if no state can follow.
                break;
            }
            if let Some(successor) = &mut successor
                && successor.takes_over(expansion, W)
            {
                let states = |each: EachState<'_>| memory.drain(expansion, each);
                successor.take_over(expansion, &states);
                return End::HandedOver;
            }
            memory.make_room(expansion, stored);
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
    End::Explored {
        beyond,
        is_whole,
        farthest: farthest.as_flattened().to_vec(),
    }
}

impl<const W: usize> Memory<W> {
    fn count(&self, of: impl Fn(&Bucket<W>) -> usize) -> u64 {
        self.buckets
            .iter()
            .map(|bucket| of(&lock(bucket)) as u64)
            .sum()
    }

    /// Return a collector of states that wait for their buckets, for one thread.
    fn outbox(&self, expansion: &Expansion<'_>) -> Outbox<W> {
        let limit = expansion.options.budget.limits().memory;
        let share = limit.map_or(usize::MAX, |limit| limit / 8 / rayon::current_num_threads());
        let waiting = WAITING_BYTES.min(share) / (BUCKETS * 8 * W);
        Outbox::new(BUCKETS, waiting.max(LEAST_WAITING))
    }

    /// If old layers are forgotten, buckets are rebuilt for each layer, with room for the next one
    /// as far as its size can be foreseen.
    fn make_room(&self, expansion: &Expansion<'_>, stored: u64) {
        if !expansion.forgets {
            return;
        }
        let kept = self.count(Bucket::n_states);
        let before = kept.saturating_sub(stored).max(1);
        let growth = (stored as f64 / before as f64).min(MOST_GROWTH);
        let mut room = stored as f64 * growth * EXPECTED / BUCKETS as f64;
        let limit = expansion.options.budget.limits().memory;
        let needed = |room| BUCKETS * Bucket::<W>::least_bytes(kept as usize / BUCKETS + room);
        if limit.is_some_and(|limit| needed(room as usize) > limit / 2) {
            room = 0.0;
        }
        self.buckets.par_iter().for_each(|bucket| {
            let mut bucket = lock(bucket);
            let before = bucket.bytes();
            bucket.reserve(room as usize, |state| expansion.states.hash(state));
            expansion.account(before, bucket.bytes());
        });
    }

    /// Expand the last complete layer.
    fn expand(&self, expansion: &Expansion<'_>) {
        let turn = AtomicUsize::new(0);
        rayon::broadcast(|_| {
            let mut outbox = self.outbox(expansion);
            expansion.account(0, outbox.bytes());
            let mut moves = expansion.states.moves(expansion.direction);
            let mut representative = expansion.representative();
            let n_words = expansion.states.n_words();
            let mut layer: Vec<[u64; W]> = Vec::new();
            loop {
                let number = turn.fetch_add(1, Ordering::Relaxed);
                let Some(bucket) = self.buckets.get(number) else {
                    break;
                };
                // A copy, since new states may move those of the bucket.
                lock(bucket).copy_layer(&mut layer);
                let (mut expanded, mut generated) = (0, 0);
                for state in &layer {
                    moves.each(&state[..n_words], |_, child| {
                        generated += 1;
                        let child = widen(representative.of(child));
                        self.add(expansion, &mut outbox, child);
                    });
                    expanded += 1;
                    if expanded == MOST_EXPANDED || generated >= MOST_GENERATED {
                        if !expansion.goes_on(expanded, generated) {
                            break;
                        }
                        (expanded, generated) = (0, 0);
                    }
                }
                if expanded > 0 {
                    expansion.goes_on(expanded, generated);
                }
                if expansion.is_stopped() {
                    break;
                }
            }
            // If the memory is used up, there is no room for the waiting states.
            if expansion.reason() != Some(StopReason::Memory) {
                self.flush(expansion, &mut outbox);
            }
            expansion.account(outbox.bytes(), 0);
        });
    }

    #[inline]
    fn add(&self, expansion: &Expansion<'_>, outbox: &mut Outbox<W>, state: [u64; W]) {
        let hash = expansion.states.hash(&state);
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
        let mut bucket = lock(&self.buckets[number]);
        let before = bucket.bytes();
        bucket.insert(states, |state| expansion.states.hash(state));
        let after = bucket.bytes();
        drop(bucket);
        if after != before {
            expansion.account(before, after);
        }
    }

    /// Make the new states the layer to be expanded.
    fn next_layer(&self, expansion: &Expansion<'_>) {
        let buckets = self.buckets.par_iter();
        buckets.for_each(|bucket| lock(bucket).next_layer(expansion.forgets));
    }

    /// Pass on the states of the last two layers, and whether each is of the last one, and forget
    /// them.
    fn drain(&self, expansion: &Expansion<'_>, each: EachState<'_>) {
        let n_words = expansion.states.n_words();
        self.buckets.par_iter().for_each(|bucket| {
            let bucket = std::mem::take(&mut *lock(bucket));
            for (state, is_last) in bucket.older() {
                each(&state[..n_words], is_last);
            }
            expansion.account(bucket.bytes(), 0);
        });
    }

    /// Return the number of states represented by the layer to be expanded.
    fn n_images(&self, expansion: &Expansion<'_>) -> u64 {
        let n_words = expansion.states.n_words();
        let scratch = || (expansion.representative(), Vec::new());
        let of_bucket = |(representative, layer): &mut (Representative<'_>, Vec<_>), bucket| {
            lock::<W>(bucket).copy_layer(layer);
            let n_images = |state: &[u64; W]| representative.n_images(&state[..n_words]);
            layer.iter().map(n_images).sum::<u64>()
        };
        self.buckets.par_iter().map_init(scratch, of_bucket).sum()
    }

    /// Return the number of goals in the layer to be expanded, if they are looked for.
    fn n_goals(&self, expansion: &Expansion<'_>) -> Option<u64> {
        let game = expansion.sought?;
        let n_words = expansion.states.n_words();
        let scratch = || (GoalTest::new(game, expansion.states), Vec::new());
        let of_bucket = |(test, layer): &mut (GoalTest<'_>, Vec<[u64; W]>), bucket| {
            lock::<W>(bucket).copy_layer(layer);
            let goals = layer.iter().filter(|state| test.is_goal(&state[..n_words]));
            goals.count() as u64
        };
        Some(self.buckets.par_iter().map_init(scratch, of_bucket).sum())
    }

    /// Return the first states of the last complete layer, in the order of their words.
    fn first_of_layer(&self, most: usize) -> Vec<[u64; W]> {
        let mut first: Vec<[u64; W]> = Vec::new();
        if most == 0 {
            return first;
        }
        let mut layer = Vec::new();
        for bucket in &self.buckets {
            lock(bucket).copy_layer(&mut layer);
            first.append(&mut layer);
            if first.len() > 16 * (most + MOST_EXPANDED as usize) {
                first.sort_unstable();
                first.truncate(most);
            }
        }
        first.sort_unstable();
        first.truncate(most);
        first
    }
}
