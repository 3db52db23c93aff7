//! A stage that a worker is sending, from round to round.

use std::collections::VecDeque;
use std::time::Instant;

use sorted_states::{FileError, Reader};

use crate::work::schedule::Source;

/// A stage that a worker is sending, from round to round.
pub(crate) enum Going {
    /// All that it sends is in its first round.
    AtOnce,
    /// Neighbors of states.
    Expansion(Expansion),
    /// The ranks of a table, with their distances.
    Collection(Collection),
}

/// The expansion of some stages.
pub(crate) struct Expansion {
    /// What is still to be expanded; the first one in part.
    pub(crate) sources: VecDeque<Source>,
    pub(crate) states: Option<States>,
    /// By worker: the bytes of states that wait to be sent.
    pub(crate) outboxes: Vec<Vec<u8>>,
    pub(crate) expanded: u64,
    /// The time of the last report of progress.
    pub(crate) reported: Instant,
}

impl Expansion {
    pub(crate) fn new(sources: Vec<Source>, peers: usize) -> Self {
        Self {
            sources: sources.into(),
            states: None,
            outboxes: vec![Vec::new(); peers],
            expanded: 0,
            reported: Instant::now(),
        }
    }
}

/// The ranks of all stages.
#[derive(Default)]
pub(crate) struct Collection {
    /// The present stage.
    pub(crate) stage: usize,
    pub(crate) states: Option<States>,
}

/// The states of a file, some at a time.
pub(crate) struct States {
    reader: Reader,
    words: Vec<u64>,
    passed: usize,
}

impl States {
    pub(crate) fn of(reader: Reader) -> Self {
        Self {
            reader,
            words: Vec::new(),
            passed: 0,
        }
    }

    /// Return the words of the next states, at most `most` words; none at the end.
    pub(crate) fn next(&mut self, most: usize) -> Result<&[u64], FileError> {
        if self.passed == self.words.len() {
            self.passed = 0;
            self.words.clear();
            self.words.extend_from_slice(self.reader.chunk()?);
        }
        let begin = self.passed;
        self.passed += most.min(self.words.len() - begin);
        Ok(&self.words[begin..self.passed])
    }
}
