//! Least costs for all ranks, level by level over a flat table.
//!
//! Dijkstra's algorithm with the table itself as the queue (Dial 1969): an entry holds the least
//! cost found so far; on level d all entries that hold d are final, and their predecessors are
//! improved. One bit for each part of the table and level records whether the part has entries of
//! the level; parts without any are skipped. Predecessors at no cost are followed at once.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU16, AtomicU64, Ordering};

use rayon::prelude::*;

use crate::build::expand::{Expansion, Goals, SharedExpander};
use crate::progress::{BuildError, Reporter};
use crate::table::large_pages::zeros;

/// Entries in a part of the table.
const PART: usize = 4096;
/// The maximum number of states at no cost that wait on one thread's stack; further ones are found
/// again by another scan of the level.
const MOST_WAITING: usize = 1 << 20;

/// An entry that threads share. It holds the complement of the least cost, so that zeros mean *not
/// reached*.
pub(crate) trait Entry: Sync + Send + bytemuck::Zeroable {
    /// The largest cost that can be stored; greater ones are stored as this one.
    const MAX: u64;
    const BYTES: u64;

    /// Return the least cost so far; `MAX + 1` when not reached.
    fn get(&self) -> u64;

    /// Lower the cost to this one if it was greater. Return whether it was.
    fn lower(&self, cost: u64) -> bool;
}

macro_rules! entry {
    ($name:ident, $atomic:ty, $word:ty) => {
        /// An entry of this width.
        #[repr(transparent)]
        pub(crate) struct $name($atomic);

        // SAFETY: an atomic integer of zeros is the number 0.
        unsafe impl bytemuck::Zeroable for $name {}

        impl Entry for $name {
            const MAX: u64 = <$word>::MAX as u64 - 1;
            const BYTES: u64 = size_of::<$word>() as u64;

            #[inline]
            fn get(&self) -> u64 {
                u64::from(<$word>::MAX - self.0.load(Ordering::Relaxed))
            }

            #[inline]
            fn lower(&self, cost: u64) -> bool {
                let stored = <$word>::MAX - cost as $word;
                self.0.load(Ordering::Relaxed) < stored
                    && self.0.fetch_max(stored, Ordering::Relaxed) < stored
            }
        }
    };
}

entry!(ByteEntry, AtomicU8, u8);
entry!(ShortEntry, AtomicU16, u16);

/// A table of least costs.
pub(crate) struct Levels<E> {
    pub(crate) entries: Vec<E>,
    /// Whether some cost was too large to be stored.
    pub(crate) is_saturated: bool,
}

/// Return the bytes that [`levels`] needs for `n` ranks.
pub(crate) fn bytes_needed<E: Entry>(n: u128) -> u128 {
    let entries = n.saturating_mul(u128::from(E::BYTES));
    entries.saturating_add(n / PART as u128 * 8 + 4096)
}

/// Return the least cost from each rank to one of the goals.
pub(crate) fn levels<'r, E: Entry>(
    expander: &SharedExpander<'r>,
    n: u64,
    goals: Goals<'_>,
    greatest_cost: u64,
    reporter: &Reporter<'_>,
) -> Result<Levels<E>, BuildError> {
    let table = Table::new(n, greatest_cost)?;
    let run = |level| table.run(expander, level, reporter);
    let is_saturated = table.fill(goals, &run, reporter)?;
    Ok(Levels {
        entries: table.entries,
        is_saturated,
    })
}

struct Table<E> {
    entries: Vec<E>,
    levels: Vec<AtomicU64>,
    pending: Vec<AtomicBool>,
    may_clear: bool,
    again: AtomicBool,
}

impl<E: Entry> Table<E> {
    fn new(n: u64, greatest_cost: u64) -> Result<Self, BuildError> {
        Ok(Self {
            entries: zeros(n)?,
            // Bit d mod 64 of a part: some entry got the cost d.
            levels: (0..n.div_ceil(PART as u64))
                .map(|_| AtomicU64::new(0))
                .collect(),
            pending: (0..=E::MAX).map(|_| AtomicBool::new(false)).collect(),
            // A bit may be cleared on level d only if it can't also mean level d + 64.
            may_clear: greatest_cost < 64,
            again: AtomicBool::new(false),
        })
    }

    /// Find all costs, given a function that expands a level. Return whether some cost was too
    /// large to be stored.
    fn fill(
        &self,
        goals: Goals<'_>,
        run: &dyn Fn(u64) -> Result<(), BuildError>,
        reporter: &Reporter<'_>,
    ) -> Result<bool, BuildError> {
        goals(&mut |rank| {
            if self.lower(rank, 0) {
                reporter.reached.fetch_add(1, Ordering::Relaxed);
            }
        });
        let mut is_saturated = false;
        for level in 0..=E::MAX {
            if !self.pending[level as usize].load(Ordering::Relaxed) {
                continue;
            }
            is_saturated |= level == E::MAX;
            loop {
                self.again.store(false, Ordering::Relaxed);
                run(level)?;
                if !self.again.load(Ordering::Relaxed) {
                    break;
                }
            }
            reporter.report(level);
        }
        Ok(is_saturated)
    }

    /// Improve an entry. Return whether it changed.
    #[inline]
    fn lower(&self, rank: u64, cost: u64) -> bool {
        if !self.entries[rank as usize].lower(cost) {
            return false;
        }
        let part = &self.levels[rank as usize / PART];
        let bit = 1 << (cost % 64);
        if part.load(Ordering::Relaxed) & bit == 0 {
            part.fetch_or(bit, Ordering::Relaxed);
        }
        if !self.pending[cost as usize].load(Ordering::Relaxed) {
            self.pending[cost as usize].store(true, Ordering::Relaxed);
        }
        true
    }

    fn run<'r>(
        &self,
        expander: &SharedExpander<'r>,
        level: u64,
        reporter: &Reporter<'_>,
    ) -> Result<(), BuildError> {
        let bit = 1_u64 << (level % 64);
        self.levels.par_iter().enumerate().try_for_each_init(
            || Expansion::new(expander),
            |expansion, (part, levels)| {
                if levels.load(Ordering::Relaxed) & bit == 0 {
                    return Ok(());
                }
                reporter.poll()?;
                if self.may_clear {
                    levels.fetch_and(!bit, Ordering::Relaxed);
                }
                let new = self.part(part, level, expansion, reporter)?;
                reporter.reached.fetch_add(new, Ordering::Relaxed);
                Ok(())
            },
        )
    }

    /// Expand the entries of a part that are on this level. Return the number of ranks reached for
    /// the first time.
    fn part(
        &self,
        part: usize,
        level: u64,
        expansion: &mut Expansion<'_>,
        reporter: &Reporter<'_>,
    ) -> Result<u64, BuildError> {
        let first = part * PART;
        let end = self.entries.len().min(first + PART);
        let on_level = (first..end).filter(|rank| self.entries[*rank].get() == level);
        expansion.waiting.extend(on_level.map(|rank| rank as u64));
        let mut new = 0;
        while !expansion.waiting.is_empty() {
            let (found, waiting) = expansion.expand_some();
            for before in found {
                let total = level.saturating_add(before.cost).min(E::MAX);
                let known = self.entries[before.rank as usize].get();
                if known > total && self.lower(before.rank, total) {
                    new += u64::from(known > E::MAX);
                    if total == level {
                        if waiting.len() < MOST_WAITING {
                            waiting.push(before.rank);
                        } else {
                            self.again.store(true, Ordering::Relaxed);
                        }
                    }
                }
            }
            // A part takes long if there are very many rules.
            reporter.poll()?;
        }
        Ok(new)
    }
}
