//! The form of a state: its words in memory, and its bytes in a file.

/// The bytes of a word.
pub(crate) const WORD: usize = size_of::<u64>();

/// The form of states: the number of words, and the number of their bytes that files store.
///
/// A file holds the lowest byte of each word first; bytes that are zero in all states can be left
/// out at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    words: usize,
    bytes: usize,
}

impl Form {
    /// Return the form of states of some words of which files store the first bytes. All others
    /// must be zero.
    ///
    /// # Panics
    /// If there are no bytes, or more than the words have.
    pub fn new(words: usize, bytes: usize) -> Self {
        assert!(
            0 < bytes && bytes <= WORD * words,
            "{bytes} bytes of {words} words"
        );
        Self { words, bytes }
    }

    /// Return the form of states of some words that files store as they are.
    ///
    /// # Panics
    /// If there are no words.
    pub fn whole(words: usize) -> Self {
        Self::new(words, WORD * words)
    }

    /// Return the number of words of a state.
    pub fn words(self) -> usize {
        self.words
    }

    /// Return the number of bytes of a state in a file.
    pub fn bytes(self) -> usize {
        self.bytes
    }

    /// Turn words of states into the bytes of a file, in place.
    pub(crate) fn pack(self, words: &mut [u64]) -> &[u8] {
        for word in &mut *words {
            *word = word.to_le();
        }
        let n_states = words.len() / self.words;
        let all: &mut [u8] = bytemuck::cast_slice_mut(words);
        let (from, to) = (WORD * self.words, self.bytes);
        if to < from {
            for state in 0..n_states {
                all.copy_within(state * from..state * from + to, state * to);
            }
        }
        &all[..n_states * to]
    }

    /// Return the place in words of states where the bytes of a file go.
    pub(crate) fn place_for_bytes(self, words: &mut [u64]) -> &mut [u8] {
        let n_states = words.len() / self.words;
        let all: &mut [u8] = bytemuck::cast_slice_mut(words);
        let begin = all.len() - n_states * self.bytes;
        &mut all[begin..]
    }

    /// Turn the bytes of a file into words of states, in place.
    ///
    /// The bytes are at the end. So a state that is moved to its words reaches at most to where the
    /// bytes of the next one begin.
    pub(crate) fn unpack(self, words: &mut [u64]) {
        let n_states = words.len() / self.words;
        let all: &mut [u8] = bytemuck::cast_slice_mut(words);
        let (from, to) = (self.bytes, WORD * self.words);
        let begin = all.len() - n_states * from;
        if from < to {
            for state in 0..n_states {
                let at = begin + state * from;
                all.copy_within(at..at + from, state * to);
                all[state * to + from..(state + 1) * to].fill(0);
            }
        }
        for word in words {
            *word = u64::from_le(*word);
        }
    }
}
