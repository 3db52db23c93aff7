//! What an import may still use: work until it asks whether to stop, and memory.

use std::cell::Cell;

use psvn_ir::{LoadLimits, LoadStop};

/// The units of work between two questions whether to stop: less than a millisecond.
const WORK_BETWEEN_QUESTIONS: u64 = 1 << 16;

/// Compares an import with its limits.
///
/// A unit of work takes some nanoseconds, such as the test of a condition.
#[derive(Debug)]
pub(crate) struct Meter<'l> {
    limits: &'l LoadLimits<'l>,
    /// The work so far.
    done: Cell<u64>,
    /// The work after which the next question is due.
    next_question: Cell<u64>,
    /// The words of the game so far.
    words: Cell<usize>,
}

impl<'l> Meter<'l> {
    pub(crate) fn new(limits: &'l LoadLimits<'l>) -> Self {
        Self {
            limits,
            done: Cell::new(0),
            next_question: Cell::new(WORK_BETWEEN_QUESTIONS),
            words: Cell::new(0),
        }
    }

    /// The limits.
    pub(crate) fn limits(&self) -> &'l LoadLimits<'l> {
        self.limits
    }

    /// Count units of work, and ask now and then whether to stop.
    pub(crate) fn work(&self, units: usize) -> Result<(), LoadStop> {
        let done = self.done.get().saturating_add(units as u64);
        self.done.set(done);
        if done < self.next_question.get() {
            return Ok(());
        }
        self.next_question
            .set(done.saturating_add(WORK_BETWEEN_QUESTIONS));
        if (self.limits.stop)() {
            Err(LoadStop::Requested)
        } else {
            Ok(())
        }
    }

    /// The units of work so far.
    pub(crate) fn done(&self) -> u64 {
        self.done.get()
    }

    /// Count words of the game before they are written, which has `bytes` so far.
    ///
    /// # Errors
    /// [`LoadStop::Size`] if reading the game would take more memory than the limit.
    pub(crate) fn words(&self, words: usize, bytes: usize) -> Result<(), LoadStop> {
        let words = self.words.get().saturating_add(words);
        self.words.set(words);
        self.bytes(LoadLimits::bytes_of_words(words).saturating_add(bytes))
    }

    /// The number of rows of a number of words for which there is memory.
    pub(crate) fn rows_left(&self, words: usize) -> usize {
        let used = LoadLimits::bytes_of_words(self.words.get());
        let left = self.limits.memory.saturating_sub(used);
        left / LoadLimits::bytes_of_words(words).max(1)
    }

    /// Compare bytes with the limit on memory.
    pub(crate) fn bytes(&self, bytes: usize) -> Result<(), LoadStop> {
        if bytes <= self.limits.memory {
            Ok(())
        } else {
            Err(LoadStop::Size)
        }
    }
}
