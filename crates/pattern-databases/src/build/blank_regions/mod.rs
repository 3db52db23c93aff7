//! Search by whole regions of the free value's places, for rules that move one value freely between
//! the kept ones.
//!
//! In a sum of tables, a sliding-tile puzzle's blank changes places at no cost with tiles that are
//! not kept, so all places that it reaches in this way are equally far from the goal. A node of
//! this search is such a region: an arrangement of the kept values, and any place in it. A few
//! operations on a set of positions find the places of a region, and only exchanges with kept
//! values at its border lead to other regions. So an arrangement is computed from its rank once for
//! each of its one or two regions, not once for each place of the blank.
//!
//! For each arrangement there is a set of reached positions, 2, 4 or 8 bytes; the regions of the
//! current and the next distance are in lists of 5 bytes each. The tables of 127,512,000 entries
//! for the 24-puzzle's 6-6-6-6 partition take 638 MB with these sets, and less than 200 MB of
//! lists.

mod arrangements;
mod sets;
mod ways;

use std::iter::zip;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};

use rayon::prelude::*;

use crate::backward::Backward;
use crate::build::expand::Goals;
use crate::build::expand::moves::{Exchange, MoveExpander};
use crate::build::two_bit::{MAX, UNREACHED};
use crate::progress::{BuildError, Reporter};
#[cfg(target_arch = "x86_64")]
use crate::ranking::bit_counts::{BitCounts, Work};
use crate::ranking::partial_permutation::{
    MOST_POSITIONS, PartialPermutation, PlaceArray, nth_free,
};
use crate::table::large_pages::zeros;

#[cfg(target_arch = "x86_64")]
use arrangements::Deposit;
#[cfg(not(target_arch = "x86_64"))]
use arrangements::Portable;
use arrangements::{Arrangements, Ranks};
use sets::Sets;
use ways::Ways;

/// The maximum number of regions in one list.
const PART: usize = 1 << 15;
/// Bytes of a region in a list.
const LISTED_BYTES: u128 = 5;
/// The maximum number of kept values. The table of more values would not fit any memory.
const MOST_KEPT: usize = 10;
/// The maximum number of steps from a region.
const MOST_STEPS: usize = 64;
/// Return the bytes of the set of positions of one arrangement.
fn set_bytes(n_positions: usize) -> u64 {
    match n_positions {
        0..=16 => 2,
        17..=32 => 4,
        _ => 8,
    }
}

/// Regions of some arrangements: each with the number of the arrangement and one of its places.
#[derive(Default)]
struct Part {
    entries: Vec<u32>,
    places: Vec<u8>,
}

impl Part {
    fn shrink(mut self) -> Self {
        self.entries.shrink_to_fit();
        self.places.shrink_to_fit();
        self
    }
}

/// The moved values, and their moves.
pub(crate) struct Regions {
    /// The kept values.
    kept: PartialPermutation,
    n_positions: usize,
    /// The moves of the free value at no cost, between places without a kept value.
    ways: Ways,
    /// By kept value and its place: the places from which the free value can exchange with it, at a
    /// cost of one.
    exchanges: Vec<[u64; MOST_POSITIONS]>,
}

impl Regions {
    /// Return `None` where more than one value is not kept, rules do more than exchange it with one
    /// other value, or costs differ.
    pub(crate) fn new(
        all: &PartialPermutation,
        kept: &PartialPermutation,
        rules: &[Backward],
    ) -> Option<Self> {
        let n_kept = kept.items.len();
        let is_one = all.is_single() && all.items.len() == n_kept + 1;
        let fits = n_kept <= MOST_KEPT && u32::try_from(kept.size()).is_ok();
        if !is_one || all.vars != kept.vars || !fits {
            return None;
        }
        let mut free = [0; MOST_POSITIONS];
        let mut exchanges = vec![[0; MOST_POSITIONS]; n_kept];
        for exchange in MoveExpander::new(all, rules)?.exchanges()? {
            let Exchange {
                item,
                from,
                to,
                with,
                cost,
            } = exchange;
            if item != n_kept {
                return None;
            }
            match (with, cost) {
                (None, 0) => free[from] |= 1 << to,
                (Some(item), 1) => exchanges[item][to] |= 1 << from,
                _ => return None,
            }
        }
        let n_positions = all.vars.len();
        let both_ways = |from: usize, to: usize| free[from] >> to & 1 == free[to] >> from & 1;
        let symmetric = (0..n_positions).all(|i| (0..i).all(|j| both_ways(i, j)));
        let most_of = |from: &[u64; MOST_POSITIONS]| from.iter().map(|set| set.count_ones()).max();
        let most: u32 = exchanges.iter().filter_map(most_of).sum();
        (symmetric && most as usize <= MOST_STEPS).then(|| Self {
            kept: kept.clone(),
            n_positions,
            ways: Ways::new(free),
            exchanges,
        })
    }

    fn n_entries(&self) -> u64 {
        self.kept.size() as u64
    }

    /// Return the bytes needed: sets and entries, and an estimate of the lists.
    pub(crate) fn bytes_needed(&self) -> u128 {
        let n = u128::from(self.n_entries());
        let (kept, positions) = (self.kept.items.len() as u128, self.n_positions as u128);
        // The more positions are taken, the more regions an arrangement has, and the fewer
        // distances there are. In measurements, the lists of two distances hold up to 0.31 regions
        // for each arrangement with 6 kept values among 25 positions, 0.65 with 6 among 16, and
        // 0.75 with 6 among 12.
        let listed = n * 3 / 10 + n * kept / positions.max(1);
        n * u128::from(set_bytes(self.n_positions) + 1) + listed * LISTED_BYTES + (1 << 20)
    }

    /// Return the least cost from each arrangement, whatever the place of the free value, to one of
    /// the goals. Goals are given by their ranks with the place of the free value, which comes
    /// last.
    ///
    /// # Errors
    /// If the work must stop, or a limit on memory is reached.
    pub(crate) fn distances(
        &self,
        goals: Goals<'_>,
        memory: Option<u64>,
        reporter: &Reporter<'_>,
    ) -> Result<Vec<u8>, BuildError> {
        let n = self.n_entries();
        let reached = Sets::empty(set_bytes(self.n_positions), n)?;
        let search = Search {
            regions: self,
            reached,
            distances: zeros(n)?,
        };
        let fixed = u128::from(n * (set_bytes(self.n_positions) + 1));
        let mut current = vec![search.begin(goals)];
        let mut level = 0_u64;
        while current.iter().any(|part| !part.entries.is_empty()) {
            reporter.report(level);
            level += 1;
            let entry = level.min(u64::from(MAX)) as u8;
            let n_regions = |parts: &[Part]| parts.iter().map(|part| part.entries.len()).sum();
            let n_listed = AtomicUsize::new(n_regions(&current));
            let expand = |part: Part| {
                reporter.poll()?;
                let next = search.expand(&part, entry, reporter);
                let new = n_regions(&next);
                let n_listed = n_listed.fetch_add(new, Ordering::Relaxed) + new;
                let needed = fixed + n_listed as u128 * LISTED_BYTES;
                match memory.filter(|limit| needed > u128::from(*limit)) {
                    Some(limit) => Err(BuildError::Memory { needed, limit }),
                    None => Ok(next),
                }
            };
            let next = current.into_par_iter().map(expand);
            let next: Vec<Vec<Part>> = next.collect::<Result<_, _>>()?;
            current = next.into_iter().flatten().collect();
        }
        drop(search.reached);
        Ok(search
            .distances
            .into_iter()
            .map(|distance| !distance.into_inner())
            .collect())
    }
}

/// A step from a region to an arrangement.
#[derive(Clone, Copy)]
struct Step {
    entry: u32,
    place: u8,
    /// The positions without a kept value afterwards.
    others: u64,
}

struct Search<'r> {
    regions: &'r Regions,
    /// By arrangement: the places that the free value has reached.
    reached: Sets,
    /// By arrangement: the complement of the least cost, so that zero means *not reached*.
    distances: Vec<AtomicU8>,
}

impl Search<'_> {
    fn begin(&self, goals: Goals<'_>) -> Part {
        let regions = self.regions;
        let n_kept = regions.kept.items.len();
        let per_entry = (regions.n_positions - n_kept) as u64;
        let mut part = Part::default();
        goals(&mut |rank| {
            let entry = rank / per_entry;
            let mut places: PlaceArray = [0; MOST_POSITIONS];
            let taken = regions.kept.unrank_places(entry, &mut places);
            let step = Step {
                entry: entry as u32,
                place: nth_free(taken, (rank % per_entry) as u32),
                others: !taken,
            };
            self.arrive(step, 0, &mut part);
        });
        part
    }

    /// Record that a region is reached. If it is new, add it to a list and return the number of its
    /// places.
    #[inline(always)]
    fn arrive(&self, step: Step, level: u8, to: &mut Part) -> u32 {
        let region = self.regions.ways.region(step.place, step.others);
        // Regions are added as a whole, so the thread that adds the first place of one adds all of
        // it.
        if self.reached.add(step.entry, region) & region != 0 {
            return 0;
        }
        let distance = &self.distances[step.entry as usize];
        if distance.load(Ordering::Relaxed) == !UNREACHED {
            distance.store(!level, Ordering::Relaxed);
        }
        to.entries.push(step.entry);
        to.places.push(step.place);
        region.count_ones()
    }

    /// Return the new regions one step behind those of a part.
    fn expand(&self, part: &Part, level: u8, reporter: &Reporter<'_>) -> Vec<Part> {
        // Of fewer values there are few arrangements, and of more there are too many for most
        // puzzles.
        match self.regions.kept.items.len() {
            4 => self.expand_some::<4>(part, level, reporter),
            5 => self.expand_some::<5>(part, level, reporter),
            6 => self.expand_some::<6>(part, level, reporter),
            7 => self.expand_some::<7>(part, level, reporter),
            8 => self.expand_some::<8>(part, level, reporter),
            9 => self.expand_some::<9>(part, level, reporter),
            _ => self.expand_any(part, level, reporter),
        }
    }

    fn expand_some<const K: usize>(
        &self,
        part: &Part,
        level: u8,
        reporter: &Reporter<'_>,
    ) -> Vec<Part> {
        let kept = &self.regions.kept;
        #[cfg(target_arch = "x86_64")]
        if let Some(counts) = BitCounts::detect()
            && let Some(arrangements) = Arrangements::<K, _>::new(kept, Deposit::of(counts))
        {
            return counts.run(PartWork {
                search: self,
                arrangements,
                part,
                level,
                reporter,
            });
        }
        #[cfg(not(target_arch = "x86_64"))]
        if let Some(arrangements) = Arrangements::<K, _>::new(kept, Portable) {
            return self.expand_by(arrangements, part, level, reporter);
        }
        self.expand_any(part, level, reporter)
    }

    /// The same for any number of values, and for the few processors without the instruction.
    #[inline(never)]
    fn expand_any(&self, part: &Part, level: u8, reporter: &Reporter<'_>) -> Vec<Part> {
        self.expand_by(&self.regions.kept, part, level, reporter)
    }

    #[inline(always)]
    fn expand_by(
        &self,
        arrangements: impl Ranks,
        part: &Part,
        level: u8,
        reporter: &Reporter<'_>,
    ) -> Vec<Part> {
        let regions = self.regions;
        let n_values = arrangements.n_values();
        let exchanges: &[[u64; MOST_POSITIONS]] = &regions.exchanges[..n_values];
        let nothing = Step {
            entry: 0,
            place: 0,
            others: 0,
        };
        let mut steps = [nothing; MOST_STEPS];
        let mut known = [0_u64; MOST_STEPS];
        let (mut made, mut new) = (Vec::new(), Part::default());
        let mut n_places = 0_u64;
        for (entry, place) in zip(&part.entries, &part.places) {
            let (mut places, taken) = arrangements.unrank(*entry);
            let region = regions.ways.region(*place, !taken);
            let mut n = 0;
            for (item, from_places) in exchanges.iter().enumerate() {
                let at = places.as_ref()[item];
                let mut from = region & from_places[usize::from(at & 63)];
                while from != 0 {
                    let to = from.trailing_zeros();
                    from &= from - 1;
                    places.as_mut()[item] = to as u8;
                    steps[n % MOST_STEPS] = Step {
                        entry: arrangements.rank(&places),
                        place: at,
                        others: !(taken ^ 1 << to ^ 1 << (at & 63)),
                    };
                    n += 1;
                }
                places.as_mut()[item] = at;
            }
            // All are read before any is used, so that the program waits for memory only once.
            let steps = &steps[..n.min(MOST_STEPS)];
            for (known, step) in zip(&mut known, steps) {
                *known = self.reached.get(step.entry);
            }
            for (step, known) in zip(steps, &known) {
                if known >> (step.place & 63) & 1 == 0 {
                    n_places += u64::from(self.arrive(*step, level, &mut new));
                }
            }
            if new.entries.len() >= PART {
                made.push(std::mem::take(&mut new).shrink());
            }
        }
        made.push(new.shrink());
        reporter.reached.fetch_add(n_places, Ordering::Relaxed);
        made
    }
}

/// The arguments of [`Search::expand_by`].
#[cfg(target_arch = "x86_64")]
struct PartWork<'a, const K: usize> {
    search: &'a Search<'a>,
    arrangements: Arrangements<K, Deposit>,
    part: &'a Part,
    level: u8,
    reporter: &'a Reporter<'a>,
}

#[cfg(target_arch = "x86_64")]
impl<const K: usize> Work for PartWork<'_, K> {
    type Output = Vec<Part>;

    #[inline(always)]
    fn run(self) -> Vec<Part> {
        let (part, level, reporter) = (self.part, self.level, self.reporter);
        self.search
            .expand_by(self.arrangements, part, level, reporter)
    }
}
