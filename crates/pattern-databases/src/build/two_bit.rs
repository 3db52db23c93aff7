//! Two bits for each rank: enough where each rule costs nothing or one unit.
//!
//! Breadth-first search needs only one of four states of a rank: new, to be expanded on this level,
//! to be expanded on the next one, or done. Where several ranks share an entry of the final table
//! (the places of a blank that is tracked but not kept), the entry gets the level on which the
//! first of them is expanded, since levels ascend. So a table of 25!/18! ranks takes 606 MB, and
//! the resulting 127,512,000 entries take 128 MB.
//!
//! Ranks at no cost are followed at once, on a stack: they never wait in the table.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};

use rayon::prelude::*;

use crate::build::expand::{Expansion, Goals, Predecessor, SharedExpander};
use crate::progress::{BuildError, Reporter};
use crate::table::large_pages::zeros;

/// Words in a part of the table that one thread works on: 64 Ki ranks.
const PART: usize = 2048;
const RANKS_PER_WORD: u64 = 32;
const MOST_WAITING: usize = 1 << 20;
/// The number of ranks of a part that wait at the same time, without those reached at no cost.
const MOST_OF_PART: usize = 1 << 10;

const NEW: u64 = 0;
const DONE: u64 = 3;

/// The entry of an unreached rank.
pub(crate) const UNREACHED: u8 = u8::MAX;
/// The largest distance that is stored.
pub(crate) const MAX: u8 = u8::MAX - 1;

/// Return the bytes that [`distances`] needs.
pub(crate) fn bytes_needed(n: u128, n_entries: u128) -> u128 {
    let words = n.div_ceil(u128::from(RANKS_PER_WORD));
    (words * 8).saturating_add(n_entries).saturating_add(4096)
}

struct Search {
    words: Vec<AtomicU64>,
    entries: Vec<AtomicU8>,
    per_entry: u64,
    again: AtomicBool,
    has_next: AtomicBool,
}

/// A level, and what the words hold for it and for the next one.
struct Level {
    distance: u8,
    current: u64,
    next: u64,
}

/// Return the least cost from each entry's ranks to one of the goals, where ranks
/// `e * per_entry ..` share entry e.
pub(crate) fn distances<'r>(
    expander: &SharedExpander<'r>,
    n: u64,
    per_entry: u64,
    goals: Goals<'_>,
    reporter: &Reporter<'_>,
) -> Result<Vec<u8>, BuildError> {
    let entries = (0..n / per_entry).map(|_| AtomicU8::new(UNREACHED));
    let search = Search::new(n, entries.collect(), per_entry)?;
    let run = |level: &Level| search.run(expander, level, reporter);
    let mark = |each: EachRank<'_>| goals(&mut |rank| each(rank, Mark::Open));
    search.levels(&First::goals(&mark), &run, reporter, None, &mut |_| true)?;
    Ok(search
        .entries
        .into_iter()
        .map(AtomicU8::into_inner)
        .collect())
}

/// What is known of a rank before a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    /// It is on the first level, and is expanded.
    Open,
    /// It is on a level before, and isn't expanded.
    Done,
}

/// Receives a rank, on any thread.
pub(crate) type EachRank<'e> = &'e (dyn Fn(u64, Mark) + Sync);

/// The ranks with which a search begins.
pub(crate) struct First<'f> {
    /// Their level.
    pub(crate) level: u64,
    /// The number of ranks on the levels before.
    pub(crate) n_before: u64,
    /// Calls its argument with each of them, and with each rank of earlier levels that could be
    /// reached again.
    pub(crate) mark: &'f dyn Fn(EachRank<'_>),
}

impl<'f> First<'f> {
    /// Begin with the goals.
    pub(crate) fn goals(mark: &'f dyn Fn(EachRank<'_>)) -> Self {
        Self {
            level: 0,
            n_before: 0,
            mark,
        }
    }
}

/// Visit all ranks without a table of distances: the reporter gets the number of ranks that each
/// level completes. `goes_on` is called before each level is expanded, with up to `n_listed` of its
/// first ranks. The level `last` is counted and not expanded.
pub(crate) fn levels_only<'r>(
    expander: &SharedExpander<'r>,
    n: u64,
    first: &First<'_>,
    reporter: &Reporter<'_>,
    n_listed: usize,
    last: Option<u64>,
    goes_on: &mut dyn FnMut(Vec<u64>) -> bool,
) -> Result<(), BuildError> {
    let search = Search::new(n, Vec::new(), n.max(1))?;
    let run = |level: &Level| search.run(expander, level, reporter);
    search.levels(first, &run, reporter, last, &mut |current| {
        goes_on(first_in_state(&search.words, current, n_listed))
    })
}

impl Search {
    fn new(n: u64, entries: Vec<AtomicU8>, per_entry: u64) -> Result<Self, BuildError> {
        Ok(Self {
            words: zeros(n.div_ceil(RANKS_PER_WORD))?,
            entries,
            per_entry,
            again: AtomicBool::new(false),
            has_next: AtomicBool::new(true),
        })
    }

    /// Search level by level, given a function that expands a level. `goes_on` gets the mark of the
    /// ranks to be expanded. The level `last` is only counted, which is right where no move is
    /// free.
    fn levels(
        &self,
        first: &First<'_>,
        run: &dyn Fn(&Level) -> Result<(), BuildError>,
        reporter: &Reporter<'_>,
        last: Option<u64>,
        goes_on: &mut dyn FnMut(u64) -> bool,
    ) -> Result<(), BuildError> {
        let search = self;
        let (mut current, mut next) = (1, 2);
        (first.mark)(&|rank, mark| {
            let state = match mark {
                Mark::Open => current,
                Mark::Done => DONE,
            };
            exchange(&search.words, rank, NEW, state);
        });
        reporter
            .reached
            .fetch_add(first.n_before, Ordering::Relaxed);
        let mut level = first.level;
        while search.has_next.swap(false, Ordering::Relaxed) && goes_on(current) {
            if last == Some(level) {
                let n = n_in_state(&self.words, current);
                reporter.reached.fetch_add(n, Ordering::Relaxed);
                reporter.report(level);
                break;
            }
            loop {
                search.again.store(false, Ordering::Relaxed);
                run(&Level {
                    distance: level.min(u64::from(MAX)) as u8,
                    current,
                    next,
                })?;
                if !search.again.load(Ordering::Relaxed) {
                    break;
                }
            }
            reporter.report(level);
            level += 1;
            std::mem::swap(&mut current, &mut next);
        }
        Ok(())
    }
}

/// Return the ranks of a word that are in a state, as their lower bits.
#[inline]
fn in_state(word: u64, state: u64) -> u64 {
    let differs = word ^ (0x5555_5555_5555_5555 * state);
    !(differs | differs >> 1) & 0x5555_5555_5555_5555
}

/// Iterate over the ranks of the word with this number, given as their lower bits.
#[inline]
fn ranks(number: usize, mut found: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let lowest = (found != 0).then(|| u64::from(found.trailing_zeros() / 2));
        found &= found.wrapping_sub(1);
        Some(number as u64 * RANKS_PER_WORD + lowest?)
    })
}

/// Return the number of ranks in a state.
fn n_in_state(words: &[AtomicU64], state: u64) -> u64 {
    let found = |word: &AtomicU64| in_state(word.load(Ordering::Relaxed), state);
    let words = words.par_iter();
    words.map(|word| u64::from(found(word).count_ones())).sum()
}

/// Return the first ranks in a state.
fn first_in_state(words: &[AtomicU64], state: u64, most: usize) -> Vec<u64> {
    let found = |word: &AtomicU64| in_state(word.load(Ordering::Relaxed), state);
    let words = words.iter().enumerate();
    let all = words.flat_map(|(number, word)| ranks(number, found(word)));
    all.take(most).collect()
}

/// Return the state of a rank.
#[inline]
fn state(words: &[AtomicU64], rank: u64) -> u64 {
    let word = words[(rank / RANKS_PER_WORD) as usize].load(Ordering::Relaxed);
    word >> (rank % RANKS_PER_WORD * 2) & 3
}

/// Replace the state of a rank, if it is `from`. Return whether it was.
#[inline]
fn exchange(words: &[AtomicU64], rank: u64, from: u64, to: u64) -> bool {
    let word = &words[(rank / RANKS_PER_WORD) as usize];
    let shift = rank % RANKS_PER_WORD * 2;
    let mut known = word.load(Ordering::Relaxed);
    while known >> shift & 3 == from {
        let new = known ^ (from ^ to) << shift;
        match word.compare_exchange_weak(known, new, Ordering::Relaxed, Ordering::Relaxed) {
            Ok(_) => return true,
            Err(now) => known = now,
        }
    }
    false
}

impl Search {
    fn run<'r>(
        &self,
        expander: &SharedExpander<'r>,
        level: &Level,
        reporter: &Reporter<'_>,
    ) -> Result<(), BuildError> {
        let n_parts = self.words.len().div_ceil(PART);
        (0..n_parts).into_par_iter().try_for_each_init(
            || Expansion::new(expander),
            |expansion, part| {
                reporter.poll()?;
                let done = self.part(part, level, expansion, reporter)?;
                reporter.reached.fetch_add(done, Ordering::Relaxed);
                Ok(())
            },
        )
    }

    /// Expand the current ranks of a part, and those reached from them at no cost. Return the
    /// number of ranks done.
    fn part(
        &self,
        part: usize,
        level: &Level,
        expansion: &mut Expansion<'_>,
        reporter: &Reporter<'_>,
    ) -> Result<u64, BuildError> {
        let mut done = 0_u64;
        let end = self.words.len().min((part + 1) * PART);
        for index in part * PART..end {
            let word = &self.words[index];
            let found = in_state(word.load(Ordering::Relaxed), level.current);
            if found == 0 {
                continue;
            }
            // Mark all at once, except those that another thread has done in between.
            let before = word.fetch_or(found * DONE, Ordering::Relaxed);
            let found = found & in_state(before, level.current);
            for rank in ranks(index, found) {
                self.set_distance(rank, level);
                expansion.waiting.push(rank);
            }
            done += u64::from(found.count_ones());
            if expansion.waiting.len() >= MOST_OF_PART {
                done += self.expand(level, expansion, reporter)?;
            }
        }
        Ok(done + self.expand(level, expansion, reporter)?)
    }

    /// Expand all waiting ranks. Return the number of further ones that were done.
    fn expand(
        &self,
        level: &Level,
        expansion: &mut Expansion<'_>,
        reporter: &Reporter<'_>,
    ) -> Result<u64, BuildError> {
        // In registers: the processor would read both again after each mark.
        let (words, next) = (self.words.as_slice(), level.next);
        let mut done = 0;
        while !expansion.waiting.is_empty() {
            let (found, waiting) = expansion.expand_some();
            for Predecessor { rank, cost } in found {
                if *cost == 0 {
                    done += u64::from(self.reach_at_once(*rank, level, waiting));
                } else if state(words, *rank) == NEW && exchange(words, *rank, NEW, next) {
                    // Written once, since all threads read it.
                    if !self.has_next.load(Ordering::Relaxed) {
                        self.has_next.store(true, Ordering::Relaxed);
                    }
                }
            }
            // Steps at no cost may lead through the whole table.
            reporter.poll()?;
        }
        Ok(done)
    }

    /// Mark a rank that is reached at no cost. Return whether it is done.
    #[inline(never)]
    fn reach_at_once(&self, rank: u64, level: &Level, waiting: &mut Vec<u64>) -> bool {
        let (words, current) = (&self.words, level.current);
        let known = state(words, rank);
        if known == DONE || known == current {
            return false;
        }
        let is_done = waiting.len() < MOST_WAITING;
        let to = if is_done { DONE } else { current };
        if !exchange(words, rank, known, to) && !exchange(words, rank, level.next, to) {
            return false;
        }
        if is_done {
            self.set_distance(rank, level);
            waiting.push(rank);
        } else {
            self.again.store(true, Ordering::Relaxed);
        }
        is_done
    }

    /// Set the distance of a rank's entry, unless another one of its ranks is as near.
    #[inline]
    fn set_distance(&self, rank: u64, level: &Level) {
        // A division takes as long as a predecessor.
        if !self.entries.is_empty()
            && let Some(entry) = self.entries.get((rank / self.per_entry) as usize)
            && entry.load(Ordering::Relaxed) == UNREACHED
        {
            entry.store(level.distance, Ordering::Relaxed);
        }
    }
}
