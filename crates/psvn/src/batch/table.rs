//! States that are kept once each, found by their rows.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use search::Cell;

/// No number of a state.
pub(super) const NONE: u32 = u32::MAX;

/// Rows, each kept once and called by its number.
pub(super) struct Rows<C> {
    cells: Vec<C>,
    n_variables: usize,
    /// By hash the last row that has it.
    heads: HashMap<u64, u32, BuildHasherDefault<Same>>,
    /// For each row the one before it with the same hash.
    before: Vec<u32>,
}

/// Passes on a number that is a hash already.
#[derive(Default)]
struct Same(u64);

impl Hasher for Same {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 << 8) | u64::from(*byte);
        }
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

/// Mix the cells of a row into a number, eight cells at a time.
fn hash<C: Cell>(row: &[C]) -> u64 {
    // Odd, with its bits spread: the fractional part of the golden ratio.
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let mixed = row.chunks(8).fold(0_u64, |mixed, cells| {
        let word = cells.iter().fold(0_u64, |word, cell| {
            word.rotate_left(8) ^ cell.index() as u64
        });
        let product = u128::from(mixed.rotate_left(23) ^ word ^ FACTOR) * u128::from(FACTOR);
        (product >> 64) as u64 ^ product as u64
    });
    mixed.wrapping_mul(FACTOR)
}

impl<C: Cell> Rows<C> {
    pub(super) fn new(n_variables: usize) -> Self {
        Self {
            cells: Vec::new(),
            n_variables,
            heads: HashMap::default(),
            before: Vec::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.before.len()
    }

    /// The row with a number.
    pub(super) fn row(&self, number: u32) -> &[C] {
        let first = number as usize * self.n_variables;
        &self.cells[first..first + self.n_variables]
    }

    /// The cells of all rows from a number on.
    pub(super) fn since(&self, number: usize) -> &[C] {
        &self.cells[number * self.n_variables..]
    }

    /// The number of a row, and whether it is new.
    pub(super) fn insert(&mut self, row: &[C]) -> (u32, bool) {
        let number = self.before.len() as u32;
        let hash = hash(row);
        let head = self.heads.get(&hash).copied().unwrap_or(NONE);
        let mut at = head;
        while at != NONE {
            if self.row(at) == row {
                return (at, false);
            }
            at = self.before[at as usize];
        }
        self.heads.insert(hash, number);
        self.before.push(head);
        self.cells.extend_from_slice(row);
        (number, true)
    }

    /// About how many bytes are held.
    pub(super) fn bytes(&self) -> usize {
        self.cells.capacity() * size_of::<C>()
            + self.before.capacity() * size_of::<u32>()
            + self.heads.capacity() * (size_of::<(u64, u32)>() + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All rows of a small space are kept once, and few of them share a hash.
    #[test]
    fn rows_are_kept_once() {
        fn check<C: Cell>() {
            let mut rows = Rows::<C>::new(12);
            let mut hashes = std::collections::HashSet::new();
            let row = |number: u32| -> Vec<C> {
                let digit = |place: u32| psvn_ir::Value(number / 3_u32.pow(place % 9) % 3);
                (0..12).map(|place| C::pack(digit(place))).collect()
            };
            for number in 0..3_u32.pow(9) {
                assert_eq!(rows.insert(&row(number)), (number, true));
                hashes.insert(hash(&row(number)));
            }
            for number in 0..3_u32.pow(9) {
                assert_eq!(rows.insert(&row(number)), (number, false));
                assert_eq!(rows.row(number), row(number));
            }
            assert_eq!((rows.len(), hashes.len()), (3_usize.pow(9), 3_usize.pow(9)));
            assert_eq!(rows.since(rows.len() - 2).len(), 24);
        }
        check::<u8>();
        check::<u16>();
        check::<u32>();
    }
}
