//! What the entries of a table say about distances.

use crate::coordinates::build::UNREACHED;
use crate::coordinates::layout::parts::{DISTANCE_BITS, LINE_WORDS, PartsLayout};
use crate::coordinates::layout::{ALIGNED, Layout};
use crate::table::prefetch::prefetch;

/// The difference to the parent's distance, plus one, by the parent's distance modulo 3 and the
/// entry. All entries of a child are reached if the parent's are.
const MORE: [[u8; 4]; 3] = [[1, 2, 0, 0], [0, 1, 2, 0], [2, 0, 1, 0]];
/// The bits of a place that hold the number of the part.
const PART_BITS: u32 = 8;

/// The entries of a table.
pub(crate) trait Entries {
    /// Return the place of an entry, given its class and its number in the class.
    fn place(&self, class: u32, at: u64) -> u64;

    /// Prefetch an entry.
    fn fetch(&self, place: u64);

    /// Return the distance of an entry, given that of a neighbor.
    fn distance(&self, place: u64, parent: u8) -> u8;

    /// Return the least distance of values that have no entry, given that of a neighbor.
    fn without_entry(&self, parent: u8) -> u8;

    /// Return the distance of an entry, or a lower bound, given another lower bound.
    fn at_least(&self, place: u64, least: u64) -> u64;

    fn words(&self) -> &[u64];
}

/// Distances modulo 3, in two bits each.
#[derive(Debug)]
pub(crate) struct Remainders {
    words: Vec<u64>,
    per_class: u64,
}

/// Distances of coarser entries in four bits, and for each part of their finer entries a bit: is
/// each entry of the part farther?
#[derive(Debug)]
pub(crate) struct Parts {
    words: Vec<u64>,
    n_line_words: usize,
    layout: PartsLayout,
    by_fan: Divisor,
    by_line: Divisor,
}

/// A number of two or more to divide by, as a multiplication.
#[derive(Clone, Copy, Debug)]
struct Divisor(u64);

impl Divisor {
    fn new(by: u64) -> Self {
        Self(u64::MAX / by + 1)
    }

    /// Divide a number whose product with the divisor has 64 bits at most.
    #[inline(always)]
    fn of(self, n: u64) -> u64 {
        ((u128::from(n) * u128::from(self.0)) >> 64) as u64
    }
}

impl Remainders {
    pub(super) fn new(layout: &Layout, words: Vec<u64>) -> Self {
        Self {
            words,
            per_class: layout.per_class,
        }
    }

    #[inline(always)]
    pub(super) fn entry(&self, place: u64) -> u64 {
        self.words[(place / ALIGNED) as usize] >> (place % ALIGNED * 2) & 3
    }
}

impl Entries for Remainders {
    #[inline(always)]
    fn place(&self, class: u32, at: u64) -> u64 {
        u64::from(class) * self.per_class + at
    }

    #[inline(always)]
    fn fetch(&self, place: u64) {
        prefetch(&self.words, (place / ALIGNED) as usize);
    }

    #[inline(always)]
    fn distance(&self, place: u64, parent: u8) -> u8 {
        after(parent, self.entry(place))
    }

    #[inline(always)]
    fn without_entry(&self, parent: u8) -> u8 {
        after(parent, UNREACHED)
    }

    #[inline(always)]
    fn at_least(&self, place: u64, least: u64) -> u64 {
        match self.entry(place) {
            UNREACHED => least,
            entry => least + (entry + 3 - least % 3) % 3,
        }
    }

    fn words(&self) -> &[u64] {
        &self.words
    }
}

/// Return the distance of a child, from its parent's and its own entry.
#[inline(always)]
fn after(parent: u8, entry: u64) -> u8 {
    let more = MORE[usize::from(parent % 3)][entry as usize];
    (parent + more).saturating_sub(1)
}

impl Parts {
    pub(super) fn new(layout: PartsLayout, words: Vec<u64>) -> Self {
        Self {
            words,
            n_line_words: layout.n_line_words() as usize,
            layout,
            by_fan: Divisor::new(layout.fan),
            by_line: Divisor::new(layout.per_line),
        }
    }

    pub(super) fn layout(&self) -> PartsLayout {
        self.layout
    }

    /// Return the first word of the line of a coarser entry, and its place in the line.
    #[inline(always)]
    fn line(&self, coarse: u64) -> (usize, u64) {
        let line = self.by_line.of(coarse);
        let first = (line * LINE_WORDS) as usize;
        (first, coarse - line * self.layout.per_line)
    }
}

impl Entries for Parts {
    #[inline(always)]
    fn place(&self, class: u32, at: u64) -> u64 {
        let PartsLayout {
            per_class,
            fan,
            shift,
            ..
        } = self.layout;
        let digits = self.by_fan.of(at);
        let finer = u64::from(class >> shift) * fan + (at - digits * fan);
        let word = self.words[self.n_line_words + (finer / 8) as usize];
        let part = word >> (finer % 8 * 8) & 0xff;
        (u64::from(class) * per_class + digits) << PART_BITS | part
    }

    #[inline(always)]
    fn fetch(&self, place: u64) {
        prefetch(&self.words, self.line(place >> PART_BITS).0);
    }

    #[inline(always)]
    fn distance(&self, place: u64, _: u8) -> u8 {
        let part = place & ((1 << PART_BITS) - 1);
        let (first, i) = self.line(place >> PART_BITS);
        let line = &self.words[first..][..LINE_WORDS as usize];
        let bits = |at: u64| line[(at / 64) as usize] >> (at % 64);
        let distance = bits(i * DISTANCE_BITS) & ((1 << DISTANCE_BITS) - 1);
        let PartsLayout {
            n_parts, per_line, ..
        } = self.layout;
        let is_farther = bits(per_line * DISTANCE_BITS + i * n_parts + part) & 1;
        (distance + is_farther) as u8
    }

    #[inline(always)]
    fn without_entry(&self, _: u8) -> u8 {
        0
    }

    #[inline(always)]
    fn at_least(&self, place: u64, least: u64) -> u64 {
        least.max(u64::from(self.distance(place, 0)))
    }

    fn words(&self) -> &[u64] {
        &self.words
    }
}
