//! Candidates for new states: in memory until it is used up, then in sorted runs.

use sorted_states::{FileError, Files, Reader, Runs, append, sort};

use crate::work::parcel::add_to;

/// The maximum number of runs before they are merged: that many files are open at once.
const MOST_RUNS: usize = 64;

/// Candidates for new states.
pub(crate) struct Candidates {
    files: Files,
    /// The number of words of a state, and the number of bytes of one that is sent.
    width: usize,
    sent: usize,
    /// The words of waiting states.
    waiting: Vec<u64>,
    /// The number of waiting words whose states are sorted and without duplicates.
    sorted: usize,
    /// The maximum number of waiting words.
    most: usize,
    runs: Runs,
}

impl Candidates {
    /// Make an empty set that may hold `bytes` bytes in memory, of states that are sent as some
    /// bytes each.
    pub(crate) fn new(files: &Files, bytes: usize, sent: usize) -> Self {
        let width = files.form().words();
        Self {
            files: files.clone(),
            width,
            sent,
            waiting: Vec::new(),
            sorted: 0,
            most: (bytes / (8 * width)).max(1 << 10) * width,
            runs: Runs::new(MOST_RUNS),
        }
    }

    /// Return the bytes held in memory.
    pub(crate) fn bytes(&self) -> usize {
        self.waiting.capacity() * 8
    }

    /// Return the number of words for which there is room.
    #[inline]
    fn room(&self) -> usize {
        self.waiting.capacity() - self.waiting.len()
    }

    /// Add a state.
    #[inline]
    pub(crate) fn push(&mut self, state: &[u64]) -> Result<(), FileError> {
        if self.room() < self.width {
            self.make_room()?;
        }
        append(&mut self.waiting, state, self.width);
        Ok(())
    }

    /// Add states that were sent.
    pub(crate) fn extend(&mut self, mut bytes: &[u8]) -> Result<(), FileError> {
        while bytes.len() >= self.sent {
            if self.room() < self.width {
                self.make_room()?;
            }
            let room = self.room() / self.width * self.sent;
            let (now, later) = bytes.split_at(bytes.len().min(room));
            add_to(&mut self.waiting, now, self.sent, self.width);
            bytes = later;
        }
        Ok(())
    }

    /// Make room for more states: first by removing duplicates, then with more memory, and finally
    /// by writing a run.
    fn make_room(&mut self) -> Result<(), FileError> {
        let capacity = self.waiting.capacity();
        if capacity < self.most {
            let least = self.width << 10;
            let more = capacity.max(least).min(self.most - capacity);
            self.waiting.reserve_exact(self.room() + more);
            return Ok(());
        }
        self.sort();
        if self.waiting.len() > self.most / 2 {
            self.write_run()?;
        }
        Ok(())
    }

    fn sort(&mut self) {
        if self.sorted < self.waiting.len() {
            self.sorted = sort(&mut self.waiting, self.width);
            self.waiting.truncate(self.sorted);
        }
    }

    fn write_run(&mut self) -> Result<(), FileError> {
        let capacity = self.waiting.capacity();
        let states = std::mem::take(&mut self.waiting);
        let runs = &mut self.runs;
        let run = self
            .files
            .write_run(states, 0, || runs.take_from_memory())?;
        self.runs.add(run);
        self.waiting.reserve_exact(capacity);
        self.sorted = 0;
        if self.runs.is_full() {
            self.runs.merge(&self.files)?;
        }
        Ok(())
    }

    /// Return all states that were added, in ascending sequences.
    pub(crate) fn finish(mut self) -> Result<Vec<Reader>, FileError> {
        self.sort();
        let mut sources = self.runs.open()?;
        sources.push(self.files.in_memory(self.waiting));
        Ok(sources)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use proptest::prelude::*;
    use sorted_states::{Ascending, Form, Merge};

    use super::*;
    use crate::work::parcel;

    fn candidates(folder: &Path, width: usize, bytes: usize) -> Candidates {
        let files = Files::new(folder, Form::whole(width), 1 << 16);
        Candidates::new(&files, bytes, 8 * width)
    }

    /// Return the first words of all states that come out.
    fn found(candidates: Candidates) -> Vec<u64> {
        let sources = candidates.finish().expect("no failure");
        let mut union = Merge::new(sources).expect("no failure");
        let mut found = Vec::new();
        while union.advance().expect("no failure") {
            found.push(union.state()[0]);
        }
        found
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]
        #[test]
        fn what_comes_out_is_the_set_of_what_came_in(
            words in prop::collection::vec(0_u64..5_000, 0..20_000),
            bytes in 0_usize..40_000,
            width in 1_usize..4,
        ) {
            let folder = tempfile::tempdir().expect("a folder");
            let mut candidates = candidates(folder.path(), width, bytes);
            let (some, rest) = words.split_at(words.len() / 2);
            for word in some {
                candidates.push(&[*word]).expect("no failure");
                prop_assert!(candidates.bytes() <= bytes.max(width * (8 << 10)));
            }
            for words in rest.chunks(3_000) {
                let mut sent = Vec::new();
                words.iter().for_each(|word| parcel::append(&mut sent, &[*word], 8 * width));
                candidates.extend(&sent).expect("no failure");
                prop_assert!(candidates.bytes() <= bytes.max(width * (8 << 10)));
            }
            let expected: BTreeSet<u64> = words.into_iter().collect();
            prop_assert_eq!(found(candidates), expected.into_iter().collect::<Vec<_>>());
        }
    }

    #[test]
    fn many_runs_are_merged() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut candidates = candidates(folder.path(), 1, 0);
        // Make more runs than may be open at once.
        let n = 1_024 * (MOST_RUNS as u64 + 3);
        for word in 0..n {
            candidates.push(&[word.reverse_bits()]).expect("no failure");
        }
        assert!(candidates.runs.len() < MOST_RUNS);
        assert_eq!(found(candidates).len() as u64, n);
    }
}
