//! States that are kept once each, found by their rows.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, DefaultHasher, Hash, Hasher};

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

fn hash<C: Cell>(row: &[C]) -> u64 {
    let mut hasher = DefaultHasher::new();
    // As bytes where that is what they are, which is quicker than cell by cell.
    for cell in row.chunks(8) {
        let word = cell.iter().fold(0_u64, |word, it| {
            (word << 8) ^ (word >> 56) ^ it.index() as u64
        });
        word.hash(&mut hasher);
    }
    hasher.finish()
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
