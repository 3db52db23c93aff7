//! The transposition table: results for positions that were searched before.

use crate::search::score::Score;

/// The relation of a stored score to the true one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Bound {
    /// There is no entry.
    #[default]
    None,
    /// It equals the true one.
    Exact,
    /// The true one is at least as large.
    Lower,
    /// The true one is at most as large.
    Upper,
}

/// Marks an entry without a good move.
pub(crate) const NO_MOVE: u32 = u32::MAX;

/// The result for a position.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Entry {
    pub(crate) key: [u64; 2],
    pub(crate) score: Score,
    /// The number of the best move, or of one that caused a cut-off.
    pub(crate) best: u32,
    /// The number of moves that the search looked ahead.
    pub(crate) remaining: u16,
    pub(crate) bound: Bound,
    /// Whether no line of play was cut off at the horizon. Then the score is right for any number
    /// of moves ahead.
    pub(crate) is_complete: bool,
}

/// Entries that share a place: one that looked far ahead, and the latest one.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
struct Bucket([Entry; 2]);

/// A table of fixed size.
#[derive(Debug)]
pub(crate) struct Table {
    buckets: Box<[Bucket]>,
}

impl Table {
    /// Make a table of at most `bytes` bytes, and at least one entry. `None` when there isn't
    /// enough memory.
    pub(crate) fn new(bytes: usize) -> Option<Self> {
        let n = (bytes / size_of::<Bucket>()).max(1);
        let n = 1 << n.ilog2();
        let mut buckets = Vec::new();
        buckets.try_reserve_exact(n).ok()?;
        buckets.resize(n, Bucket::default());
        Some(Self {
            buckets: buckets.into(),
        })
    }

    #[inline]
    fn place(&self, key: [u64; 2]) -> usize {
        let mixed = (key[0] ^ key[1].rotate_left(32)).wrapping_mul(0x9E37_79B9_7F4A_7C15)
            ^ key[1].wrapping_mul(0xC2B2_AE3D_27D4_EB4F);
        let mixed = (mixed ^ (mixed >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        (mixed >> 20) as usize & (self.buckets.len() - 1)
    }

    /// Return the entry of a position.
    #[inline]
    pub(crate) fn get(&self, key: [u64; 2]) -> Option<&Entry> {
        let entries = &self.buckets[self.place(key)].0;
        entries
            .iter()
            .find(|entry| entry.key == key && entry.bound != Bound::None)
    }

    /// Store the result for a position.
    #[inline]
    pub(crate) fn put(&mut self, entry: Entry) {
        let key = entry.key;
        let place = self.place(key);
        let [far, last] = &mut self.buckets[place].0;
        if far.key == key || far.bound == Bound::None || entry.remaining >= far.remaining {
            if far.key != key {
                *last = *far;
            } else if last.key == key {
                last.bound = Bound::None;
            }
            *far = entry;
        } else {
            *last = entry;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_found_by_their_keys_alone() {
        let mut table = Table::new(1).expect("128 bytes");
        let entry = |key, remaining| Entry {
            key,
            score: i32::from(remaining),
            bound: Bound::Exact,
            remaining,
            ..Entry::default()
        };
        assert!(table.get([0, 0]).is_none(), "an empty place is no entry");
        table.put(entry([0, 0], 5));
        table.put(entry([1, 0], 3));
        table.put(entry([0, 1], 2));
        let score = |key| table.get(key).map(|entry| entry.score);
        assert_eq!(score([0, 0]), Some(5), "looked far ahead");
        assert_eq!(score([1, 0]), None, "replaced");
        assert_eq!(score([0, 1]), Some(2), "the last one");
    }

    #[test]
    fn a_bucket_is_a_cache_line() {
        assert_eq!(size_of::<Bucket>(), 64);
    }
}
