//! States that are kept once each, found by their rows.

use crate::game::cell::Cell;

/// Marks a missing state.
pub(super) const NONE: u32 = u32::MAX;

/// The least number of slots.
const LEAST_SLOTS: usize = 1 << 10;

/// Rows, each stored once and identified by its number.
///
/// A slot holds 0, or half of a row's hash in its upper bits and the row's number plus one in the
/// lower ones, so that few rows are compared without need. At most three quarters of them are used.
pub(super) struct Rows<C> {
    cells: Vec<C>,
    n_variables: usize,
    n_rows: usize,
    slots: Vec<u64>,
}

/// Return the first slot for the half of a hash that slots keep.
#[inline]
fn first_slot(tag: u64, n_slots: usize) -> usize {
    ((tag * n_slots as u64) >> 32) as usize
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
            n_rows: 0,
            slots: vec![0; LEAST_SLOTS],
        }
    }

    pub(super) fn len(&self) -> usize {
        self.n_rows
    }

    /// Return the row with a number.
    pub(super) fn row(&self, number: u32) -> &[C] {
        let first = number as usize * self.n_variables;
        &self.cells[first..first + self.n_variables]
    }

    /// Return the cells of all rows from a number on.
    pub(super) fn since(&self, number: usize) -> &[C] {
        &self.cells[number * self.n_variables..]
    }

    /// Return the number of a row, and whether it is new.
    pub(super) fn insert(&mut self, row: &[C]) -> (u32, bool) {
        let tag = hash(row) >> 32;
        let mut slot = first_slot(tag, self.slots.len());
        loop {
            let found = self.slots[slot];
            if found == 0 {
                break;
            }
            let number = found as u32 - 1;
            if found >> 32 == tag && self.row(number) == row {
                return (number, false);
            }
            slot += 1;
            if slot == self.slots.len() {
                slot = 0;
            }
        }
        let number = self.n_rows as u32;
        self.slots[slot] = tag << 32 | (u64::from(number) + 1);
        self.n_rows += 1;
        self.cells.extend_from_slice(row);
        if self.n_rows > self.slots.len() / 4 * 3 {
            self.grow();
        }
        (number, true)
    }

    /// Double the number of slots. Their order follows from the halves of hashes that they keep.
    fn grow(&mut self) {
        let n_slots = 2 * self.slots.len();
        let old = std::mem::replace(&mut self.slots, vec![0; n_slots]);
        for entry in old.into_iter().filter(|entry| *entry != 0) {
            let mut slot = first_slot(entry >> 32, n_slots);
            while self.slots[slot] != 0 {
                slot += 1;
                if slot == n_slots {
                    slot = 0;
                }
            }
            self.slots[slot] = entry;
        }
    }

    /// Return the approximate number of bytes held.
    pub(super) fn bytes(&self) -> usize {
        self.cells.capacity() * size_of::<C>() + self.slots.capacity() * size_of::<u64>()
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
