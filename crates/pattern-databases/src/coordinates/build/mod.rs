//! Filling a table: breadth-first from the goal, level by level, class by class.
//!
//! A rule maps all entries of a class to entries of one class, so few places of the table are in
//! use at a time. While few entries are reached, the entries of the last level are expanded. Once
//! most are reached, each unreached entry looks for a neighbor on the last level.

pub(super) mod parts;
mod steps;

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use self::steps::Maps;
pub(super) use self::steps::Steps;
use super::layout::ALIGNED;
use crate::progress::{BuildError, Reporter};
use crate::table::large_pages::zeros;

/// An unreached entry. Other entries are distances modulo 3.
pub(super) const UNREACHED: u64 = 3;
/// The low bit of each entry of a word.
const LOW: u64 = 0x5555_5555_5555_5555;
/// The maximum ratio of unreached entries to those on the last level at which unreached entries
/// look for neighbors.
const MOST_OPEN: u64 = 2;
/// The greatest distance.
pub(super) const MOST_LEVELS: u64 = 250;
/// The number of full distances in a word, and the greatest of them, which also stands for greater
/// ones and for unreached entries.
pub(super) const DISTANCES_PER_WORD: u64 = 16;
pub(super) const MOST_DISTANCE: u64 = 15;

struct Table<'a> {
    steps: &'a Steps<'a>,
    words: Vec<AtomicU64>,
    per_class: usize,
    /// By entry: the distance in four bits, if these are wanted.
    distances: Option<Vec<AtomicU64>>,
}

/// The entries of a class.
#[derive(Clone, Copy)]
struct Entries<'t> {
    words: &'t [AtomicU64],
    distances: Option<&'t [AtomicU64]>,
}

#[derive(Default)]
struct Scratch {
    maps: Maps,
    turned: Maps,
    /// Entries as outer and inner digits.
    open: Vec<(u32, u32)>,
    found: Vec<(u32, u32)>,
}

/// Return the entries, and the number of entries by distance.
pub(super) fn fill(
    steps: &Steps<'_>,
    goal: u64,
    reporter: &Reporter<'_>,
) -> Result<(Vec<u64>, Vec<u64>), BuildError> {
    let table = Table::new(steps, false)?;
    let levels = table.fill(goal, reporter)?;
    Ok((numbers(table.words), levels))
}

/// Return the distance of each entry, in four bits.
pub(super) fn distances(
    steps: &Steps<'_>,
    goal: u64,
    reporter: &Reporter<'_>,
) -> Result<Vec<u64>, BuildError> {
    let table = Table::new(steps, true)?;
    table.fill(goal, reporter)?;
    Ok(table.distances.map_or_else(Vec::new, numbers))
}

/// Return words in which no entry is reached.
fn unreached(n: u64) -> Result<Vec<AtomicU64>, BuildError> {
    let mut words = zeros::<AtomicU64>(n)?;
    // By all threads, since the first write to a page makes the system provide it.
    words
        .par_iter_mut()
        .for_each(|word| *word.get_mut() = u64::MAX);
    Ok(words)
}

fn numbers(words: Vec<AtomicU64>) -> Vec<u64> {
    words.into_iter().map(AtomicU64::into_inner).collect()
}

impl<'a> Table<'a> {
    fn new(steps: &'a Steps<'a>, has_distances: bool) -> Result<Self, BuildError> {
        let per_class = steps.layout.per_class / ALIGNED;
        let n_words = steps.classes.first.len() as u64 * per_class;
        let n_distances = n_words * (ALIGNED / DISTANCES_PER_WORD);
        Ok(Self {
            steps,
            words: unreached(n_words)?,
            per_class: per_class as usize,
            distances: has_distances.then(|| unreached(n_distances)).transpose()?,
        })
    }
}

impl Table<'_> {
    /// Find all distances. Return the number of entries by distance.
    fn fill(&self, goal: u64, reporter: &Reporter<'_>) -> Result<Vec<u64>, BuildError> {
        let n_classes = self.steps.classes.first.len();
        let per_class = self.steps.layout.per_class;
        self.class((goal / per_class) as usize)
            .reach((goal % per_class) as usize, 0);
        let total = n_classes as u64 * self.steps.layout.n_digits();
        let mut levels = vec![1_u64];
        let mut reached = 1_u64;
        reporter.reached.store(reached, Ordering::Relaxed);
        reporter.report(0);
        loop {
            let level = levels.len() as u64 - 1;
            if level == MOST_LEVELS {
                return Err(BuildError::NoCoordinates("the distances are too large"));
            }
            let pulls = total - reached <= levels[level as usize].saturating_mul(MOST_OPEN);
            let classes = (0..n_classes).into_par_iter();
            let new = classes.map_init(Scratch::default, |scratch, class| {
                reporter.poll()?;
                Ok(if pulls {
                    self.pull(class, level, scratch)
                } else {
                    self.push(class, level, scratch)
                })
            });
            let new = new.sum::<Result<u64, BuildError>>()?;
            if new == 0 {
                break;
            }
            levels.push(new);
            reached += new;
            reporter.reached.store(reached, Ordering::Relaxed);
            reporter.report(level + 1);
        }
        Ok(levels)
    }

    fn class(&self, class: usize) -> Entries<'_> {
        let per_word = (ALIGNED / DISTANCES_PER_WORD) as usize;
        let n = self.per_class * per_word;
        Entries {
            words: &self.words[class * self.per_class..][..self.per_class],
            distances: self.distances.as_ref().map(|it| &it[class * n..][..n]),
        }
    }

    /// List the entries of a class that have this content.
    fn list(&self, class: usize, content: u64, to: &mut Vec<(u32, u32)>) {
        to.clear();
        let n = self.steps.layout.n_digits() as usize;
        for (i, word) in self.class(class).words.iter().enumerate() {
            let differs = word.load(Ordering::Relaxed) ^ (LOW * content);
            let mut found = !(differs | differs >> 1) & LOW;
            while found != 0 {
                let entry = i * ALIGNED as usize + (found.trailing_zeros() / 2) as usize;
                found &= found - 1;
                if entry < n {
                    let (outer, inner) = (entry / self.steps.n_inner, entry % self.steps.n_inner);
                    to.push((outer as u32, inner as u32));
                }
            }
        }
    }

    /// Reach the neighbors of a class's entries on a level. Return how many are new.
    fn push(&self, class: usize, level: u64, scratch: &mut Scratch) -> u64 {
        let Scratch {
            maps, turned, open, ..
        } = scratch;
        // Entries of the levels three, six and so on before are among them, but they are few.
        self.list(class, level % 3, open);
        if open.is_empty() {
            return 0;
        }
        let steps = self.steps;
        let mut new = 0;
        for rule in 0..steps.n_rules {
            let Some((there, symmetry)) = steps.target(class, rule) else {
                continue;
            };
            steps.after(class, rule, symmetry, maps);
            let entries = self.class(there);
            let at = |(outer, inner): (u32, u32)| {
                (maps.outer[outer as usize] + maps.inner[inner as usize]) as usize
            };
            let stabilizer = &steps.classes.stabilizers[there];
            for entry in &*open {
                new += u64::from(entries.reach(at(*entry), level + 1));
            }
            // Several entries are the same state.
            for symmetry in stabilizer {
                steps.turned(there, usize::from(*symmetry), turned);
                for entry in &*open {
                    let entry = at(*entry);
                    let (outer, inner) = (entry / steps.n_inner, entry % steps.n_inner);
                    let entry = turned.outer[outer] + turned.inner[inner];
                    new += u64::from(entries.reach(entry as usize, level + 1));
                }
            }
        }
        new
    }

    /// Reach those of a class's entries that have a neighbor on a level. Return how many are new.
    fn pull(&self, class: usize, level: u64, scratch: &mut Scratch) -> u64 {
        let Scratch {
            maps, open, found, ..
        } = scratch;
        self.list(class, UNREACHED, open);
        found.clear();
        // Room for one more than can be found, so that each step may write before it decides.
        found.resize(open.len() + 1, (0, 0));
        let (steps, wanted) = (self.steps, level % 3);
        let (mut n_open, mut n_found) = (open.len(), 0);
        for rule in 0..steps.n_rules {
            if n_open == 0 {
                break;
            }
            let Some((there, symmetry)) = steps.target(class, rule) else {
                continue;
            };
            steps.after(class, rule, symmetry, maps);
            let words = self.class(there).words;
            let (outer, inner) = (&maps.outer[..], &maps.inner[..]);
            let mut kept = 0;
            for i in 0..n_open {
                let entry = open[i];
                let at = (outer[entry.0 as usize] + inner[entry.1 as usize]) as usize;
                let word = words[at / ALIGNED as usize].load(Ordering::Relaxed);
                let is_found = word >> (at % ALIGNED as usize * 2) & 3 == wanted;
                // The loop has no branches, since they could not be predicted. Each entry is found
                // once.
                found[n_found] = entry;
                n_found += usize::from(is_found);
                open[kept] = entry;
                kept += usize::from(!is_found);
            }
            n_open = kept;
        }
        let entries = self.class(class);
        for (outer, inner) in &found[..n_found] {
            let at = *outer as usize * steps.n_inner + *inner as usize;
            entries.reach(at, level + 1);
        }
        n_found as u64
    }
}

impl Entries<'_> {
    /// Set the distance of an entry that isn't reached yet. Return whether that was so.
    #[inline(always)]
    fn reach(self, at: usize, distance: u64) -> bool {
        let word = &self.words[at / ALIGNED as usize];
        let shift = at % ALIGNED as usize * 2;
        if word.load(Ordering::Relaxed) >> shift & 3 != UNREACHED {
            return false;
        }
        let before = word.fetch_and(!(((distance % 3) ^ UNREACHED) << shift), Ordering::Relaxed);
        let is_new = before >> shift & 3 == UNREACHED;
        if is_new && let Some(distances) = self.distances {
            let shift = at % DISTANCES_PER_WORD as usize * 4;
            let more = distance.min(MOST_DISTANCE) ^ MOST_DISTANCE;
            distances[at / DISTANCES_PER_WORD as usize]
                .fetch_and(!(more << shift), Ordering::Relaxed);
        }
        is_new
    }
}
