//! Candidates for new states: in memory until it is used up, then in sorted runs.

use std::path::{Path, PathBuf};

use explore::ExploreError;
use explore::files::{Content, Difference, Reader, Writer, append, file_error, sort};

/// The maximum number of runs before they are merged: that many files are open at once.
const MOST_RUNS: usize = 64;

/// Candidates for new states.
pub(crate) struct Candidates {
    folder: PathBuf,
    /// The number of words of a state.
    pub(crate) width: usize,
    /// The words of waiting states.
    waiting: Vec<u64>,
    /// The number of waiting words whose states are sorted and without duplicates.
    sorted: usize,
    /// The maximum number of waiting words.
    most: usize,
    runs: Vec<(PathBuf, Content)>,
    /// The number of files so far, for their names.
    files: usize,
    /// The bytes written so far; all of them are read again.
    pub(crate) written: u64,
}

impl Candidates {
    /// Make an empty set that may hold `bytes` bytes in memory.
    pub(crate) fn new(folder: &Path, width: usize, bytes: usize) -> Self {
        Self {
            folder: folder.to_owned(),
            width,
            waiting: Vec::new(),
            sorted: 0,
            most: (bytes / (8 * width)).max(1 << 10) * width,
            runs: Vec::new(),
            files: 0,
            written: 0,
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
    pub(crate) fn push(&mut self, state: &[u64]) -> Result<(), ExploreError> {
        if self.room() < self.width {
            self.make_room()?;
        }
        append(&mut self.waiting, state, self.width);
        Ok(())
    }

    /// Add the states with these bytes, eight a word, the lowest first.
    pub(crate) fn extend(&mut self, bytes: &[u8]) -> Result<(), ExploreError> {
        let words: &[[u8; 8]] = bytes.as_chunks().0;
        let mut words = &words[..words.len() / self.width * self.width];
        while !words.is_empty() {
            if self.room() < self.width {
                self.make_room()?;
            }
            let room = self.room() / self.width * self.width;
            let (now, later) = words.split_at(words.len().min(room));
            let now = now.iter().map(|word| u64::from_le_bytes(*word));
            self.waiting.extend(now);
            words = later;
        }
        Ok(())
    }

    /// Make room for more states: first by removing duplicates, then with more memory, and finally
    /// by writing a run.
    fn make_room(&mut self) -> Result<(), ExploreError> {
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
            sort(&mut self.waiting, self.width);
            self.sorted = self.waiting.len();
        }
    }

    fn next_file(&mut self) -> PathBuf {
        self.files += 1;
        self.folder.join(format!("run-{:06}.states", self.files))
    }

    fn write_run(&mut self) -> Result<(), ExploreError> {
        let path = self.next_file();
        let mut file = Writer::new(&path, self.width);
        file.write(&self.waiting)?;
        self.waiting.clear();
        self.sorted = 0;
        self.add_run(path, file.finish()?);
        if self.runs.len() >= MOST_RUNS {
            self.merge_runs()?;
        }
        Ok(())
    }

    fn add_run(&mut self, path: PathBuf, content: Content) {
        self.written += content.bytes(self.width);
        self.runs.push((path, content));
    }

    /// Merge all runs into one.
    fn merge_runs(&mut self) -> Result<(), ExploreError> {
        let path = self.next_file();
        let mut union = Difference::new(self.width, self.open()?, Vec::new())?;
        let mut file = Writer::new(&path, self.width);
        let mut states = Vec::new();
        while union.next(&mut states)? {
            file.write(&states)?;
        }
        let content = file.finish()?;
        for (path, _) in std::mem::take(&mut self.runs) {
            std::fs::remove_file(&path).map_err(file_error(&path))?;
        }
        self.add_run(path, content);
        Ok(())
    }

    fn open(&self) -> Result<Vec<Reader>, ExploreError> {
        let open = |(path, content): &(PathBuf, Content)| Reader::open(path, self.width, *content);
        self.runs.iter().map(open).collect()
    }

    /// Return all states that were added, in ascending sequences. The files that they read are not
    /// needed after they are dropped.
    pub(crate) fn finish(mut self) -> Result<Vec<Reader>, ExploreError> {
        self.sort();
        let mut sources = self.open()?;
        sources.push(Reader::of_states(self.waiting, self.width));
        Ok(sources)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use crate::work::message::Bytes;

    /// Return the first words of all states that come out.
    fn found(candidates: Candidates) -> Vec<u64> {
        let width = candidates.width;
        let sources = candidates.finish().expect("no failure");
        let mut union = Difference::new(width, sources, Vec::new()).expect("no failure");
        let (mut found, mut states) = (Vec::new(), Vec::new());
        while union.next(&mut states).expect("no failure") {
            found.extend(states.chunks_exact(width).map(|state| state[0]));
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
            let mut candidates = Candidates::new(folder.path(), width, bytes);
            let (some, rest) = words.split_at(words.len() / 2);
            for word in some {
                candidates.push(&[*word]).expect("no failure");
                prop_assert!(candidates.bytes() <= bytes.max(width * (8 << 10)));
            }
            for words in rest.chunks(3_000) {
                let mut sent = Bytes::default();
                words.iter().for_each(|word| sent.push(&[*word], width));
                candidates.extend(&sent.0).expect("no failure");
                prop_assert!(candidates.bytes() <= bytes.max(width * (8 << 10)));
            }
            let expected: BTreeSet<u64> = words.into_iter().collect();
            prop_assert_eq!(found(candidates), expected.into_iter().collect::<Vec<_>>());
        }
    }

    #[test]
    fn many_runs_are_merged() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut candidates = Candidates::new(folder.path(), 1, 0);
        // Make more runs than may be open at once.
        let n = 1_024 * (MOST_RUNS as u64 + 3);
        for word in 0..n {
            candidates.push(&[word.reverse_bits()]).expect("no failure");
        }
        assert!(candidates.runs.len() < MOST_RUNS);
        assert_eq!(found(candidates).len() as u64, n);
    }
}
