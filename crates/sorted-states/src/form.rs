//! The form of a state: its words in memory, and its bytes in a file.

/// The bytes of a word.
pub(crate) const WORD: usize = size_of::<u64>();

/// The form of states: the number of words, and the number of their bytes that may differ from
/// zero.
///
/// Bytes are counted from the lowest one of the first word. Files leave the others out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    words: usize,
    bytes: usize,
}

impl Form {
    /// Return the form of states of some words of which all but the first bytes are zero.
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

    /// Return the form of states of any words.
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

    /// Return the number of bytes that may differ from zero.
    pub fn bytes(self) -> usize {
        self.bytes
    }
}
