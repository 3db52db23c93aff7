//! Candidates for new states: in memory until it is used up, then in sorted runs.

use std::path::{Path, PathBuf};

use explore::ExploreError;
use explore::files::{Content, Merge, Reader, Source, Writer, file_error};

/// The maximum number of runs before they are merged: that many files are open at once.
const MOST_RUNS: usize = 64;

/// Candidates for new states.
pub(crate) struct Candidates<const W: usize> {
    folder: PathBuf,
    waiting: Vec<[u64; W]>,
    /// The number of waiting states that are sorted and without duplicates.
    sorted: usize,
    /// The maximum number of waiting states.
    most: usize,
    runs: Vec<(PathBuf, Content)>,
    /// The number of files so far, for their names.
    files: usize,
    /// The bytes written so far; all of them are read again.
    pub(crate) written: u64,
}

impl<const W: usize> Candidates<W> {
    /// Make an empty set that may hold `bytes` bytes in memory.
    pub(crate) fn new(folder: &Path, bytes: usize) -> Self {
        Self {
            folder: folder.to_owned(),
            waiting: Vec::new(),
            sorted: 0,
            most: (bytes / (8 * W)).max(1 << 10),
            runs: Vec::new(),
            files: 0,
            written: 0,
        }
    }

    /// Return the bytes held in memory.
    pub(crate) fn bytes(&self) -> usize {
        self.waiting.capacity() * 8 * W
    }

    /// Add a state.
    #[inline]
    pub(crate) fn push(&mut self, state: [u64; W]) -> Result<(), ExploreError> {
        if self.waiting.len() == self.waiting.capacity() {
            self.make_room()?;
        }
        self.waiting.push(state);
        Ok(())
    }

    /// Make room for more states: first by removing duplicates, then with more memory, and finally
    /// by writing a run.
    fn make_room(&mut self) -> Result<(), ExploreError> {
        let capacity = self.waiting.capacity();
        if capacity < self.most {
            let more = capacity.max(1 << 10).min(self.most - capacity);
            self.waiting.reserve_exact(more);
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
            self.waiting.sort_unstable();
            self.waiting.dedup();
            self.sorted = self.waiting.len();
        }
    }

    fn next_file(&mut self) -> PathBuf {
        self.files += 1;
        self.folder.join(format!("run-{:06}.states", self.files))
    }

    fn write_run(&mut self) -> Result<(), ExploreError> {
        let path = self.next_file();
        let mut file = Writer::new(&path);
        for state in &self.waiting {
            file.push(state)?;
        }
        self.waiting.clear();
        self.sorted = 0;
        self.add_run(path, file.finish()?);
        if self.runs.len() >= MOST_RUNS {
            self.merge_runs()?;
        }
        Ok(())
    }

    fn add_run(&mut self, path: PathBuf, content: Content) {
        self.written += content.states * 8 * W as u64;
        self.runs.push((path, content));
    }

    /// Merge all runs into one.
    fn merge_runs(&mut self) -> Result<(), ExploreError> {
        let path = self.next_file();
        let mut merge = Merge::<W>::new(self.open()?)?;
        let mut file = Writer::new(&path);
        while let Some(state) = merge.next()? {
            file.push(&state)?;
        }
        let content = file.finish()?;
        for (path, _) in std::mem::take(&mut self.runs) {
            std::fs::remove_file(&path).map_err(file_error(&path))?;
        }
        self.add_run(path, content);
        Ok(())
    }

    fn open(&self) -> Result<Vec<Source<W>>, ExploreError> {
        let open = |(path, content): &(PathBuf, Content)| Reader::open(path, *content);
        let runs = self.runs.iter().map(open);
        runs.map(|run| run.map(Source::File)).collect()
    }

    /// Return all states that were added, in ascending order and without duplicates. The files that
    /// it reads are not needed after it is dropped.
    pub(crate) fn finish(mut self) -> Result<Merge<W>, ExploreError> {
        self.sort();
        let mut sources = self.open()?;
        sources.push(Source::Memory(self.waiting.into_iter()));
        Merge::new(sources)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]
        #[test]
        fn what_comes_out_is_the_set_of_what_came_in(
            words in prop::collection::vec(0_u64..5_000, 0..20_000),
            bytes in 0_usize..40_000,
        ) {
            let folder = tempfile::tempdir().expect("a folder");
            let mut candidates = Candidates::<1>::new(folder.path(), bytes);
            for word in &words {
                candidates.push([*word]).expect("no failure");
                prop_assert!(candidates.bytes() <= bytes.max(8 << 10));
            }
            let expected: BTreeSet<u64> = words.into_iter().collect();
            let mut merge = candidates.finish().expect("no failure");
            let mut found = Vec::new();
            while let Some([word]) = merge.next().expect("no failure") {
                found.push(word);
            }
            prop_assert_eq!(found, expected.into_iter().collect::<Vec<_>>());
        }
    }

    #[test]
    fn many_runs_are_merged() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut candidates = Candidates::<1>::new(folder.path(), 0);
        // Make more runs than may be open at once.
        let n = 1_024 * (MOST_RUNS as u64 + 3);
        for word in 0..n {
            candidates.push([word.reverse_bits()]).expect("no failure");
        }
        assert!(candidates.runs.len() < MOST_RUNS);
        let mut merge = candidates.finish().expect("no failure");
        let mut count = 0;
        while merge.next().expect("no failure").is_some() {
            count += 1;
        }
        assert_eq!(count, n);
    }
}
