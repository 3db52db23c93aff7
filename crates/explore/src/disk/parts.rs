//! The generated states of the parts of the next layer: in memory, and in sorted runs.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

use crate::disk::checkpoint::run_file;
use crate::disk::merge::Difference;
use crate::disk::sorted_file::{Content, Reader, Writer, file_error};
use crate::disk::states::{append, sort};
use crate::expansion::Expansion;
use crate::report::ExploreError;
use crate::threads;

/// The number of parts of a layer.
pub(crate) const PARTS: usize = 64;
/// The number of states that may wait in one thread for one part.
const WAITING: usize = 256;
/// The maximum number of runs of a part before they are merged: that many files are open at once.
const MOST_RUNS: usize = 64;

/// One part of the next layer.
#[derive(Default)]
struct Part {
    /// The words of waiting states.
    waiting: Vec<u64>,
    runs: Vec<(PathBuf, Content)>,
    /// The number of files so far, for their names.
    files: usize,
    written: u64,
}

/// The parts of the next layer.
pub(crate) struct Parts<'p> {
    folder: &'p Path,
    /// The number of words of a state.
    width: usize,
    parts: Vec<Mutex<Part>>,
    /// The number of words of a part that may wait.
    most: usize,
    bytes: usize,
}

/// The states generated for one part, in sorted sequences.
pub(crate) struct Runs {
    pub(crate) sources: Vec<Reader>,
    pub(crate) written: u64,
}

fn lock(part: &Mutex<Part>) -> MutexGuard<'_, Part> {
    part.lock().expect("no thread panics while it holds a part")
}

impl<'p> Parts<'p> {
    /// Make empty parts that may use `bytes` bytes together.
    pub(crate) fn new(
        folder: &'p Path,
        width: usize,
        expansion: &Expansion<'_>,
        bytes: usize,
    ) -> Self {
        expansion.account(0, bytes);
        // Each thread may hold one part more, while it is sorted and written.
        let parts = PARTS + rayon::current_num_threads();
        Self {
            folder,
            width,
            parts: (0..PARTS).map(|_| Mutex::default()).collect(),
            most: (bytes / parts / (8 * width)).max(WAITING) * width,
            bytes,
        }
    }

    /// Return a collector of states for one thread.
    pub(crate) fn outbox(&self) -> Outbox<'_, 'p> {
        let most = WAITING * self.width;
        Outbox {
            parts: self,
            waiting: (0..PARTS).map(|_| Vec::with_capacity(most)).collect(),
            most,
        }
    }

    fn extend(&self, number: usize, states: &[u64]) -> Result<(), ExploreError> {
        let mut part = lock(&self.parts[number]);
        part.waiting.extend_from_slice(states);
        if part.waiting.len() < self.most {
            return Ok(());
        }
        let mut full = std::mem::take(&mut part.waiting);
        let path = run_file(self.folder, number, part.files);
        part.files += 1;
        drop(part);
        sort(&mut full, self.width);
        let mut file = Writer::new(&path, self.width);
        file.write(&full)?;
        drop(full);
        let content = file.finish()?;
        let mut part = lock(&self.parts[number]);
        self.add_run(&mut part, path, content);
        if part.runs.len() >= MOST_RUNS {
            self.merge_runs(number, &mut part)?;
        }
        Ok(())
    }

    fn add_run(&self, part: &mut Part, path: PathBuf, content: Content) {
        part.written += content.bytes(self.width);
        part.runs.push((path, content));
    }

    /// Merge all runs into one.
    fn merge_runs(&self, number: usize, part: &mut Part) -> Result<(), ExploreError> {
        let path = run_file(self.folder, number, part.files);
        part.files += 1;
        let mut union = Difference::new(self.width, self.open(&part.runs)?, Vec::new())?;
        let mut file = Writer::new(&path, self.width);
        let mut states = Vec::new();
        while union.next(&mut states)? {
            file.write(&states)?;
        }
        let content = file.finish()?;
        for (path, _) in part.runs.drain(..) {
            std::fs::remove_file(&path).map_err(file_error(&path))?;
        }
        self.add_run(part, path, content);
        Ok(())
    }

    fn open(&self, runs: &[(PathBuf, Content)]) -> Result<Vec<Reader>, ExploreError> {
        let open = |(path, content): &(PathBuf, Content)| Reader::open(path, self.width, *content);
        runs.iter().map(open).collect()
    }

    /// Return the states generated for each part.
    pub(crate) fn finish(mut self, expansion: &Expansion<'_>) -> Result<Vec<Runs>, ExploreError> {
        let parts: Vec<Part> = std::mem::take(&mut self.parts)
            .into_iter()
            .map(|part| {
                part.into_inner()
                    .expect("no thread panics while it holds a part")
            })
            .collect();
        let runs = threads::map(parts, |_, mut part| {
            let mut sources = self.open(&part.runs)?;
            sort(&mut part.waiting, self.width);
            sources.push(Reader::of_states(part.waiting, self.width));
            Ok(Runs {
                sources,
                written: part.written,
            })
        });
        expansion.account(self.bytes, 0);
        runs.into_iter().collect()
    }
}

/// Return the part of a state, given by the highest bits of its hash.
#[inline]
fn part_of(expansion: &Expansion<'_>, state: &[u64]) -> usize {
    (expansion.states.hash(state) >> (64 - PARTS.trailing_zeros())) as usize
}

/// The states that one thread has generated, for each part.
pub(crate) struct Outbox<'o, 'p> {
    parts: &'o Parts<'p>,
    waiting: Vec<Vec<u64>>,
    /// The number of words that may wait for a part.
    most: usize,
}

impl Outbox<'_, '_> {
    /// Add a state.
    #[inline]
    pub(crate) fn push(
        &mut self,
        expansion: &Expansion<'_>,
        state: &[u64],
    ) -> Result<(), ExploreError> {
        let number = part_of(expansion, state);
        let waiting = &mut self.waiting[number];
        append(waiting, state, self.parts.width);
        if waiting.len() < self.most {
            return Ok(());
        }
        self.pass_on(number)
    }

    fn pass_on(&mut self, number: usize) -> Result<(), ExploreError> {
        let waiting = &mut self.waiting[number];
        let result = self.parts.extend(number, waiting);
        waiting.clear();
        result
    }

    /// Pass on all states.
    pub(crate) fn flush(&mut self) -> Result<(), ExploreError> {
        (0..PARTS).try_for_each(|number| self.pass_on(number))
    }
}
