//! Tables with parts: from a finer table, and the distances of a coarser one if its entries follow
//! from the finer ones.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::{DISTANCES_PER_WORD, MOST_DISTANCE, UNREACHED, numbers};
use crate::coordinates::layout::parts::{DISTANCE_BITS, LINE_WORDS, PartsLayout};
use crate::coordinates::layout::{ALIGNED, Layout};
use crate::progress::{BuildError, Options};
use crate::table::large_pages::zeros;

/// The number of coarser entries by which finer ones are divided into parts.
const MOST_SAMPLES: u64 = 64 * SAMPLE_WORDS as u64;
const SAMPLE_WORDS: usize = 35;
/// The number of words that are compared to divide the entries of one grouping.
const MOST_COMPARED: usize = 1 << 19;

/// The greatest number of finer entries of a coarser one that are divided by how often they are
/// farther at once; more of them are divided as they are numbered.
const MOST_DIVIDED: u64 = 1 << 12;

/// The number of parts by distance. Parts whose entries are all farther than the greatest distance
/// of a coarser entry come last.
type Levels = [u64; MOST_DISTANCE as usize + 2];

/// The data of a table with parts.
pub(crate) struct Sources<'a> {
    pub(crate) fine: &'a Layout,
    /// The distances, in four bits, of the finer entries, or else of the coarser ones.
    pub(crate) distances: &'a [u64],
    /// In the latter case: the coarser layout, and the finer entries modulo 3.
    pub(crate) nested: Option<(&'a Layout, &'a [u64])>,
}

/// Return an entry of four bits.
#[inline(always)]
fn distance_at(distances: &[u64], at: u64) -> u64 {
    let word = distances[(at / DISTANCES_PER_WORD) as usize];
    word >> (at % DISTANCES_PER_WORD * DISTANCE_BITS) & MOST_DISTANCE
}

impl Sources<'_> {
    /// Return the least distance of the finer entries of a coarser one. `first` is the number of
    /// the first of them in its class.
    #[inline(always)]
    fn distance(&self, class: u64, first: u64, fan: u64) -> u64 {
        match self.nested {
            Some((coarse, _)) => {
                distance_at(self.distances, class * coarse.per_class + first / fan)
            }
            None => {
                let first = class * self.fine.per_class + first;
                let finer = (first..first + fan).map(|at| distance_at(self.distances, at));
                finer.min().unwrap_or(MOST_DISTANCE)
            }
        }
    }

    /// Return whether a finer entry is farther than this distance of its coarser one. The finer one
    /// is at least as far, so another remainder means more. The same remainder may mean three more,
    /// which isn't noticed. The greatest distance stands for greater ones, too.
    #[inline(always)]
    fn is_farther(&self, class: u64, finer: u64, distance: u64) -> bool {
        let at = class * self.fine.per_class + finer;
        match self.nested {
            Some((_, words)) => {
                let entry = words[(at / ALIGNED) as usize] >> (at % ALIGNED * 2) & 3;
                distance < MOST_DISTANCE && (entry == UNREACHED || entry != distance % 3)
            }
            None => distance_at(self.distances, at) > distance,
        }
    }

    /// Return the words of the table, and the number of parts by distance.
    pub(crate) fn divide(
        &self,
        layout: PartsLayout,
        options: &Options<'_>,
    ) -> Result<(Vec<u64>, Vec<u64>), BuildError> {
        let words = zeros::<AtomicU64>(layout.n_words())?;
        let of_grouping = |grouping| {
            options.poll()?;
            let parts = self.parts(layout, grouping);
            for (finer, part) in parts.iter().enumerate() {
                let at = grouping * layout.fan + finer as u64;
                let word = &words[(layout.n_line_words() + at / 8) as usize];
                word.fetch_or(u64::from(*part) << (at % 8 * 8), Ordering::Relaxed);
            }
            let first = grouping << layout.shift;
            let classes = first..(first + (1 << layout.shift)).min(layout.n_classes);
            let mut levels = Levels::default();
            for class in classes {
                self.write_class(layout, class, &parts, &words, &mut levels);
            }
            Ok::<Levels, BuildError>(levels)
        };
        let groupings = (0..layout.n_groupings()).into_par_iter().map(of_grouping);
        let sum = |one: Levels, other: Levels| Ok(std::array::from_fn(|i| one[i] + other[i]));
        let mut levels = groupings.try_reduce(Levels::default, sum)?.to_vec();
        while levels.last() == Some(&0) {
            levels.pop();
        }
        Ok((numbers(words), levels))
    }

    fn write_class(
        &self,
        layout: PartsLayout,
        class: u64,
        parts: &[u8],
        words: &[AtomicU64],
        levels: &mut Levels,
    ) {
        for digits in 0..layout.per_class {
            let distance = self.distance(class, digits * layout.fan, layout.fan);
            let mut farther = u64::MAX;
            for (finer, part) in parts.iter().enumerate() {
                let finer = digits * layout.fan + finer as u64;
                let is_farther = self.is_farther(class, finer, distance);
                farther &= !(u64::from(!is_farther) << part);
            }
            let entry = class * layout.per_class + digits;
            let (line, i) = (entry / layout.per_line, entry % layout.per_line);
            let set = |at: u64, bits: u64| {
                let word = &words[(line * LINE_WORDS + at / 64) as usize];
                word.fetch_or(bits << (at % 64), Ordering::Relaxed);
            };
            set(i * DISTANCE_BITS, distance);
            for part in 0..layout.n_parts {
                let more = farther >> part & 1;
                levels[(distance + more) as usize] += 1;
                let first = layout.per_line * DISTANCE_BITS + i * layout.n_parts;
                set(first + part, more);
            }
        }
    }

    /// Divide the finer entries of a grouping into parts: those together that are often farther
    /// than the coarser one at once.
    fn parts(&self, layout: PartsLayout, grouping: u64) -> Vec<u8> {
        if layout.fan > MOST_DIVIDED {
            let part = |finer| (finer * layout.n_parts / layout.fan) as u8;
            return (0..layout.fan).map(part).collect();
        }
        let first = grouping << layout.shift;
        let n_classes = (1 << layout.shift).min(layout.n_classes - first);
        let n = n_classes * layout.per_class;
        let n_samples = n.min(MOST_SAMPLES);
        let mut farther = vec![[0_u64; SAMPLE_WORDS]; layout.fan as usize];
        for sample in 0..n_samples {
            let at = (u128::from(sample) * u128::from(n) / u128::from(n_samples)) as u64;
            let (class, digits) = (first + at / layout.per_class, at % layout.per_class);
            let distance = self.distance(class, digits * layout.fan, layout.fan);
            for (finer, farther) in farther.iter_mut().enumerate() {
                let finer = digits * layout.fan + finer as u64;
                let bit = u64::from(self.is_farther(class, finer, distance));
                farther[(sample / 64) as usize] |= bit << (sample % 64);
            }
        }
        divided(&farther, layout.n_parts as usize)
    }
}

/// Divide columns into parts of about equal size, so that many samples are in all columns of a
/// part: begin with neighbors, and exchange two as long as that helps.
fn divided(columns: &[[u64; SAMPLE_WORDS]], n_parts: usize) -> Vec<u8> {
    let n = columns.len();
    let mut order: Vec<usize> = (0..n).collect();
    let begin = |part: usize| part * n / n_parts;
    // By place in the order: the part.
    let mut parts: Vec<usize> = Vec::with_capacity(n);
    for part in 0..n_parts {
        parts.resize(begin(part + 1), part);
    }
    // By place: the samples in all other columns of the part.
    let mut others = vec![[u64::MAX; SAMPLE_WORDS]; n];
    let refill = |part: usize, order: &[usize], others: &mut [[u64; SAMPLE_WORDS]]| {
        let mut before = [u64::MAX; SAMPLE_WORDS];
        for place in begin(part)..begin(part + 1) {
            others[place] = before;
            before = both(&before, &columns[order[place]]);
        }
        let mut after = [u64::MAX; SAMPLE_WORDS];
        for place in (begin(part)..begin(part + 1)).rev() {
            others[place] = both(&others[place], &after);
            after = both(&after, &columns[order[place]]);
        }
    };
    (0..n_parts).for_each(|part| refill(part, &order, &mut others));
    let value = |part: usize, others: &[u64; SAMPLE_WORDS], column: usize| {
        count(&both(others, &columns[column])) * (begin(part + 1) - begin(part)) as u32
    };
    let (mut left, mut improves) = (MOST_COMPARED, true);
    while improves {
        improves = false;
        for one in 0..n {
            for other in begin(parts[one] + 1)..n {
                if left == 0 {
                    return by_column(&order, &parts);
                }
                left = left.saturating_sub(4 * SAMPLE_WORDS);
                let after = value(parts[one], &others[one], order[other])
                    + value(parts[other], &others[other], order[one]);
                let before = value(parts[one], &others[one], order[one])
                    + value(parts[other], &others[other], order[other]);
                if after > before {
                    order.swap(one, other);
                    refill(parts[one], &order, &mut others);
                    refill(parts[other], &order, &mut others);
                    left = left.saturating_sub(8 * SAMPLE_WORDS * n.div_ceil(n_parts));
                    improves = true;
                }
            }
        }
    }
    by_column(&order, &parts)
}

fn by_column(order: &[usize], parts: &[usize]) -> Vec<u8> {
    let mut of_column = vec![0; order.len()];
    for (column, part) in order.iter().zip(parts) {
        of_column[*column] = *part as u8;
    }
    of_column
}

fn both(one: &[u64; SAMPLE_WORDS], other: &[u64; SAMPLE_WORDS]) -> [u64; SAMPLE_WORDS] {
    std::array::from_fn(|i| one[i] & other[i])
}

fn count(samples: &[u64; SAMPLE_WORDS]) -> u32 {
    samples.iter().map(|word| word.count_ones()).sum()
}
