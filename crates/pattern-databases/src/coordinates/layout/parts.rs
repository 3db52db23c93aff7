//! The numbering of tables whose finer entries are kept in parts.

use super::{Coordinate, Digit, Layout};
use crate::progress::BuildError;

/// The maximum number of parts.
pub(crate) const MOST_PARTS: u64 = 64;
/// The bits of a cache line, and its words.
const LINE_BITS: u64 = 512;
pub(crate) const LINE_WORDS: u64 = LINE_BITS / 64;
/// The bits of a distance.
pub(crate) const DISTANCE_BITS: u64 = 4;
/// The bytes of entries for each byte that says which entries share a part.
const BYTES_PER_GROUPING_BYTE: u64 = 64;

/// The numbering of a table with parts. Entries that differ only in the last digit, the finer
/// entries of a coarser one, are divided into parts. A line has the distances of several coarser
/// entries, and then a bit for each of their parts. After the lines, a byte for each finer entry of
/// a few classes together tells its part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PartsLayout {
    /// The number of coarser entries of a class.
    pub(crate) per_class: u64,
    /// The number of finer entries of a coarser one.
    pub(crate) fan: u64,
    pub(crate) n_parts: u64,
    /// The number of coarser entries in a line.
    pub(crate) per_line: u64,
    pub(crate) n_classes: u64,
    /// The logarithm of the number of classes that share the parts.
    pub(crate) shift: u32,
}

impl Layout {
    /// Return the number of entries for each entry of a coarser layout, if these come one after the
    /// other: if this layout has one more digit, which comes last.
    pub(crate) fn fan_over(&self, coarse: &Self) -> Option<u64> {
        let (last, digits) = self.digits.split_last()?;
        let (_, coordinates) = self.coordinates.split_last()?;
        let are_same = |(one, other): (&Digit, &Digit)| {
            (one.coordinate, one.n, one.parent) == (other.coordinate, other.n, other.parent)
        };
        let have_same_values =
            |(one, other): (&Coordinate, &Coordinate)| one.has_same_values(other);
        let is_nested = last.coordinate == coordinates.len()
            && coarse.reduced == self.reduced
            && coarse.symmetries == self.symmetries
            && coarse.digits.len() == digits.len()
            && coarse.digits.iter().zip(digits).all(are_same)
            && coarse.coordinates.len() == coordinates.len()
            && coarse
                .coordinates
                .iter()
                .zip(coordinates)
                .all(have_same_values);
        is_nested.then_some(last.n as u64)
    }
}

impl PartsLayout {
    /// Return the numbering for a layout and a number of classes.
    ///
    /// # Errors
    /// If there is no last number to divide, or there are too many parts.
    pub(crate) fn new(fine: &Layout, n_classes: u64, n_parts: usize) -> Result<Self, BuildError> {
        let last = fine.digits.last().map(|last| last.n as u64);
        let Some(fan) = last.filter(|fan| *fan > 1) else {
            return Err(BuildError::NoCoordinates(
                "all numbers of this pattern are reduced by symmetries, so there are no parts",
            ));
        };
        let n_parts = n_parts as u64;
        if !(1..=fan.min(MOST_PARTS)).contains(&n_parts) {
            return Err(BuildError::NoCoordinates(
                "there are at most 64 parts, and no more than values of the last number",
            ));
        }
        let mut parts = Self {
            per_class: fine.n_digits() / fan,
            fan,
            n_parts,
            per_line: LINE_BITS / (DISTANCE_BITS + n_parts),
            n_classes,
            shift: 0,
        };
        let most = parts.n_line_words() * 8 / BYTES_PER_GROUPING_BYTE;
        while parts.n_groupings() > 1 && parts.n_groupings() * fan > most {
            parts.shift += 1;
        }
        Ok(parts)
    }

    /// Return the number of coarser entries.
    pub(crate) fn n_coarse(self) -> u64 {
        self.n_classes * self.per_class
    }

    pub(crate) fn n_line_words(self) -> u64 {
        self.n_coarse().div_ceil(self.per_line) * LINE_WORDS
    }

    /// Return the number of ways to divide finer entries into parts.
    pub(crate) fn n_groupings(self) -> u64 {
        self.n_classes.div_ceil(1 << self.shift)
    }

    /// Describe how entries are numbered, given that for the finer ones.
    pub(crate) fn describe(self, fine: &str) -> String {
        format!(
            "{fine}, the last in {} parts with {DISTANCE_BITS} bits in common",
            self.n_parts
        )
    }

    /// Return the number of words of all.
    pub(crate) fn n_words(self) -> u64 {
        self.n_line_words() + (self.n_groupings() * self.fan).div_ceil(8)
    }
}
