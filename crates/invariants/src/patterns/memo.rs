//! A memo of vectors that were closed before, with what they imply.
//!
//! Most sequences share their preconditions with others, and each kept sequence is closed twice:
//! when it is found, and when it is compared with the others of its batch.

use std::sync::atomic::{AtomicU64, Ordering};

use psvn_ir::Term;

/// Identifies invariants. Copies of the same ones share it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct MemoId(u64);

impl MemoId {
    /// An id that no other invariants have.
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// The most numbers that are kept before the memo is cleared: 2 MiB.
const MOST_NUMBERS: usize = 1 << 19;

/// Precedes the equal unknowns in a key.
const UNKNOWNS: u32 = u32::MAX;

/// Used as the length of the values that a contradiction implies.
const CONTRADICTION: u32 = u32::MAX;

/// The values that vectors imply with some invariants. The memo is cleared when it has grown large,
/// and when it is used with other invariants.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memo {
    of: MemoId,
    /// Slots, as many as a power of 2, each 0 or one more than the place of an entry among the
    /// numbers.
    slots: Vec<u32>,
    n_entries: usize,
    /// The entries: hash, length of the key, length of the implied values, key, implied values.
    numbers: Vec<u32>,
}

/// The numbers of an entry before its key.
const HEAD: usize = 3;

/// Append which positions of a vector hold the same unknown, to distinguish vectors with equal
/// constants.
pub(crate) fn write_key(pattern: &[Term], key: &mut Vec<u32>) {
    key.push(UNKNOWNS);
    for (i, term) in pattern.iter().enumerate() {
        if let Some(var) = term.as_variable().filter(|_| !term.is_own_variable(i)) {
            key.extend([i as u32, var.0]);
        }
    }
}

fn hash_of(key: &[u32]) -> u32 {
    let mixed = key.iter().fold(0_u64, |hash, number| {
        (hash.rotate_left(5) ^ u64::from(*number)).wrapping_mul(0x517C_C1B7_2722_0A95)
    });
    (mixed >> 32) as u32
}

impl Memo {
    /// The place of a key's implied values, or else its hash.
    pub(crate) fn find(&mut self, of: MemoId, key: &[u32]) -> Result<usize, u32> {
        if self.of != of {
            self.of = of;
            self.forget();
        }
        let hash = hash_of(key);
        if self.slots.is_empty() {
            return Err(hash);
        }
        let mut slot = self.first_slot(hash);
        while let Some(place) = (self.slots[slot] as usize).checked_sub(1) {
            let length = self.numbers[place + 1] as usize;
            if self.numbers[place] == hash
                && self.numbers[place + HEAD..place + HEAD + length] == *key
            {
                return Ok(place);
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        Err(hash)
    }

    /// Store the values that a new key implies, `None` if no state matches it. Return their place.
    pub(crate) fn insert(&mut self, hash: u32, key: &[u32], implied: Option<&[u32]>) -> usize {
        let facts = implied.unwrap_or_default();
        if self.numbers.len() + HEAD + key.len() + facts.len() > MOST_NUMBERS {
            self.forget();
        }
        if 2 * (self.n_entries + 1) > self.slots.len() {
            self.grow();
        }
        let place = self.numbers.len();
        let n_facts = implied.map_or(CONTRADICTION, |facts| facts.len() as u32);
        self.numbers.extend([hash, key.len() as u32, n_facts]);
        self.numbers.extend_from_slice(key);
        self.numbers.extend_from_slice(facts);
        self.n_entries += 1;
        self.link(hash, place);
        place
    }

    /// The values that the key at a place implies, `None` if no state matches it.
    pub(crate) fn get(&self, place: usize) -> Option<&[u32]> {
        let start = place + HEAD + self.numbers[place + 1] as usize;
        match self.numbers[place + 2] {
            CONTRADICTION => None,
            n_facts => Some(&self.numbers[start..start + n_facts as usize]),
        }
    }

    fn first_slot(&self, hash: u32) -> usize {
        hash as usize & (self.slots.len() - 1)
    }

    fn link(&mut self, hash: u32, place: usize) {
        let mut slot = self.first_slot(hash);
        while self.slots[slot] != 0 {
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        self.slots[slot] = place as u32 + 1;
    }

    fn grow(&mut self) {
        let n_slots = (2 * self.slots.len()).max(64);
        self.slots.clear();
        self.slots.resize(n_slots, 0);
        let mut place = 0;
        while place < self.numbers.len() {
            self.link(self.numbers[place], place);
            let implied = self.get(place).map_or(0, <[u32]>::len);
            place += HEAD + self.numbers[place + 1] as usize + implied;
        }
    }

    fn forget(&mut self) {
        self.slots.fill(0);
        self.n_entries = 0;
        self.numbers.clear();
    }
}
