//! Packed states in a row, in whole words, or in whole bytes where that takes less.

use std::ops::Deref;

use crate::best_first::budget::Budget;
use crate::best_first::closed::column::Column;
use crate::best_first::closed::prefetch::prefetch;
use crate::run::limits::StopReason;

/// The maximum number of words of a state that is stored in bytes.
const MOST_WORDS: usize = 4;

/// A column of packed states.
#[derive(Debug)]
pub(crate) struct States {
    stored: Stored,
}

#[derive(Debug)]
enum Stored {
    Words(Column<u64>),
    /// The lowest bytes of each state, in little-endian order.
    Bytes(Bytes),
}

#[derive(Debug)]
struct Bytes {
    column: Column<u8>,
    n_words: usize,
    n_bytes: usize,
}

/// The words of a stored state.
pub(crate) enum Words<'s> {
    Stored(&'s [u64]),
    Copied([u64; MOST_WORDS], usize),
}

impl Deref for Words<'_> {
    type Target = [u64];

    #[inline(always)]
    fn deref(&self) -> &[u64] {
        match self {
            Self::Stored(words) => words,
            Self::Copied(words, n) => &words[..*n],
        }
    }
}

impl Bytes {
    #[inline(always)]
    fn get(&self, at: usize) -> Words<'_> {
        let bytes = self.column.get(at);
        let mut words = [0; MOST_WORDS];
        let (whole, rest) = bytes.as_chunks::<8>();
        for (i, bytes) in whole.iter().enumerate() {
            words[i] = u64::from_le_bytes(*bytes);
        }
        if !rest.is_empty() {
            words[whole.len()] = match (bytes.last_chunk::<8>(), rest) {
                // The last eight bytes, without those of the word before.
                (Some(last), _) => u64::from_le_bytes(*last) >> (64 - 8 * rest.len()),
                (None, rest) => short_word(rest),
            };
        }
        Words::Copied(words, self.n_words)
    }
}

/// Return at most seven bytes as a word.
#[inline(always)]
fn short_word(bytes: &[u8]) -> u64 {
    if let (Some(first), Some(last)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        // The two halves may overlap; common bytes are at the same place in both.
        let high = u64::from(u32::from_le_bytes(*last)) << (8 * (bytes.len() - 4));
        return u64::from(u32::from_le_bytes(*first)) | high;
    }
    let bytes = bytes.iter().rev();
    bytes.fold(0, |word, byte| word << 8 | u64::from(*byte))
}

impl States {
    /// Make an empty column of states of `n_words` words, of which only the lowest `n_bytes` bytes
    /// are used.
    pub(crate) fn new(n_words: usize, n_bytes: usize) -> Self {
        let stored = if n_bytes < 8 * n_words && n_words <= MOST_WORDS && n_bytes > 0 {
            Stored::Bytes(Bytes {
                column: Column::new(n_bytes),
                n_words,
                n_bytes,
            })
        } else {
            Stored::Words(Column::new(n_words))
        };
        Self { stored }
    }

    /// Return the number of states.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        match &self.stored {
            Stored::Words(column) => column.len(),
            Stored::Bytes(bytes) => bytes.column.len(),
        }
    }

    /// Return the words of a state.
    #[inline(always)]
    pub(crate) fn get(&self, at: usize) -> Words<'_> {
        match &self.stored {
            Stored::Words(column) => Words::Stored(column.get(at)),
            Stored::Bytes(bytes) => bytes.get(at),
        }
    }

    /// Prefetch a state.
    #[inline(always)]
    pub(crate) fn fetch(&self, at: usize) {
        match &self.stored {
            Stored::Words(column) => prefetch(&column.get(at)[0]),
            Stored::Bytes(bytes) => prefetch(&bytes.column.get(at)[0]),
        }
    }

    /// Make room for one more state, so that the next `push` succeeds.
    #[inline]
    pub(crate) fn make_room(&mut self, budget: &mut Budget) -> Result<(), StopReason> {
        match &mut self.stored {
            Stored::Words(column) => column.make_room(budget),
            Stored::Bytes(bytes) => bytes.column.make_room(budget),
        }
    }

    /// Append a state.
    #[inline]
    pub(crate) fn push(&mut self, state: &[u64], budget: &mut Budget) -> Result<(), StopReason> {
        match &mut self.stored {
            Stored::Words(column) => column.push(state, budget),
            Stored::Bytes(bytes) => {
                let mut record = [0; 8 * MOST_WORDS];
                let (words, _) = record.as_chunks_mut::<8>();
                for (i, word) in state.iter().enumerate() {
                    words[i] = word.to_le_bytes();
                }
                bytes.column.push(&record[..bytes.n_bytes], budget)
            }
        }
    }

    /// Return the size of the states in bytes.
    pub(crate) fn bytes(&self) -> usize {
        match &self.stored {
            Stored::Words(column) => column.bytes(),
            Stored::Bytes(bytes) => bytes.column.bytes(),
        }
    }
}

#[cfg(test)]
mod tests {
    use psvn_ir::testing::SplitMix64;

    use super::*;

    #[test]
    fn states_come_back_whatever_their_bytes() {
        for n_bytes in 1..=40 {
            let n_words = usize::div_ceil(n_bytes, 8);
            let mut random = SplitMix64::new(n_bytes as u64);
            let mut budget = Budget::new(None);
            let mut states = States::new(n_words, n_bytes);
            let kept: Vec<Vec<u64>> = (0..9_000)
                .map(|_| {
                    let mut state: Vec<u64> = (0..n_words).map(|_| random.next_u64()).collect();
                    state[n_words - 1] &= !0 >> (64 * n_words - 8 * n_bytes);
                    state
                })
                .collect();
            for state in &kept {
                states.make_room(&mut budget).unwrap();
                states.push(state, &mut budget).unwrap();
            }
            assert_eq!(states.len(), kept.len());
            let come_back = |(at, state): (usize, &Vec<u64>)| *states.get(at) == **state;
            assert!(kept.iter().enumerate().all(come_back), "{n_bytes}");
            let most = if n_words <= MOST_WORDS {
                n_bytes
            } else {
                8 * n_words
            };
            assert!(states.bytes() < (most * 9_000) * 2 + 1_000);
            assert!(states.bytes() >= most * 9_000);
        }
    }
}
