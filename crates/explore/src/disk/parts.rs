//! The generated states of the parts of the next layer: in memory, and in sorted runs.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

use crate::disk::checkpoint::run_file;
use crate::disk::merge::{Merge, Source};
use crate::disk::sorted_file::{Content, Reader, Writer, file_error};
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
struct Part<const W: usize> {
    waiting: Vec<[u64; W]>,
    runs: Vec<(PathBuf, Content)>,
    /// The number of files so far, for their names.
    files: usize,
    written: u64,
}

/// The parts of the next layer.
pub(crate) struct Parts<'p, const W: usize> {
    folder: &'p Path,
    parts: Vec<Mutex<Part<W>>>,
    /// The number of states of a part that may wait.
    most: usize,
    bytes: usize,
}

/// The states generated for one part, in sorted sequences.
pub(crate) struct Runs<const W: usize> {
    pub(crate) sources: Vec<Source<W>>,
    pub(crate) written: u64,
}

fn lock<const W: usize>(part: &Mutex<Part<W>>) -> MutexGuard<'_, Part<W>> {
    part.lock().expect("no thread panics while it holds a part")
}

impl<'p, const W: usize> Parts<'p, W> {
    /// Make empty parts that may use `bytes` bytes together.
    pub(crate) fn new(folder: &'p Path, expansion: &Expansion<'_>, bytes: usize) -> Self {
        expansion.account(0, bytes);
        // Each thread may hold one part more, while it is sorted and written.
        let parts = PARTS + rayon::current_num_threads();
        Self {
            folder,
            parts: (0..PARTS).map(|_| Mutex::default()).collect(),
            most: (bytes / parts / (8 * W)).max(WAITING),
            bytes,
        }
    }

    /// Return a collector of states for one thread.
    pub(crate) fn outbox(&self) -> Outbox<'_, 'p, W> {
        Outbox {
            parts: self,
            waiting: (0..PARTS).map(|_| Vec::with_capacity(WAITING)).collect(),
        }
    }

    /// Add one state.
    pub(crate) fn push(
        &self,
        expansion: &Expansion<'_>,
        state: [u64; W],
    ) -> Result<(), ExploreError> {
        self.extend(part_of(expansion, &state), &[state])
    }

    fn extend(&self, number: usize, states: &[[u64; W]]) -> Result<(), ExploreError> {
        let mut part = lock(&self.parts[number]);
        part.waiting.extend_from_slice(states);
        if part.waiting.len() < self.most {
            return Ok(());
        }
        let full = std::mem::take(&mut part.waiting);
        let path = run_file(self.folder, number, part.files);
        part.files += 1;
        drop(part);
        let sorted = sorted(full);
        let mut file = Writer::new(&path);
        for state in &sorted {
            file.push(state)?;
        }
        drop(sorted);
        let content = file.finish()?;
        let mut part = lock(&self.parts[number]);
        part.written += content.states * 8 * W as u64;
        part.runs.push((path, content));
        if part.runs.len() >= MOST_RUNS {
            self.merge_runs(number, &mut part)?;
        }
        Ok(())
    }

    /// Merge all runs into one.
    fn merge_runs(&self, number: usize, part: &mut Part<W>) -> Result<(), ExploreError> {
        let path = run_file(self.folder, number, part.files);
        part.files += 1;
        let mut merge = Merge::<W>::new(open(&part.runs)?)?;
        let mut file = Writer::new(&path);
        while let Some(state) = merge.next()? {
            file.push(&state)?;
        }
        let content = file.finish()?;
        for (path, _) in part.runs.drain(..) {
            std::fs::remove_file(&path).map_err(file_error(&path))?;
        }
        part.written += content.states * 8 * W as u64;
        part.runs.push((path, content));
        Ok(())
    }

    /// Return the states generated for each part.
    pub(crate) fn finish(self, expansion: &Expansion<'_>) -> Result<Vec<Runs<W>>, ExploreError> {
        let parts: Vec<Part<W>> = self
            .parts
            .into_iter()
            .map(|part| {
                part.into_inner()
                    .expect("no thread panics while it holds a part")
            })
            .collect();
        let runs = threads::map(parts, |_, part| {
            let mut sources = open(&part.runs)?;
            sources.push(Source::Memory(sorted(part.waiting).into_iter()));
            Ok(Runs {
                sources,
                written: part.written,
            })
        });
        expansion.account(self.bytes, 0);
        runs.into_iter().collect()
    }
}

fn sorted<const W: usize>(mut states: Vec<[u64; W]>) -> Vec<[u64; W]> {
    states.sort_unstable();
    states.dedup();
    states
}

fn open<const W: usize>(runs: &[(PathBuf, Content)]) -> Result<Vec<Source<W>>, ExploreError> {
    let open =
        |(path, content): &(PathBuf, Content)| Reader::open(path, *content).map(Source::File);
    runs.iter().map(open).collect()
}

/// Return the part of a state, given by the highest bits of its hash.
fn part_of<const W: usize>(expansion: &Expansion<'_>, state: &[u64; W]) -> usize {
    let hash = expansion.states.hash(&state[..expansion.states.n_words()]);
    (hash >> (64 - PARTS.trailing_zeros())) as usize
}

/// The states that one thread has generated, for each part.
pub(crate) struct Outbox<'o, 'p, const W: usize> {
    parts: &'o Parts<'p, W>,
    waiting: Vec<Vec<[u64; W]>>,
}

impl<const W: usize> Outbox<'_, '_, W> {
    pub(crate) fn push(
        &mut self,
        expansion: &Expansion<'_>,
        state: [u64; W],
    ) -> Result<(), ExploreError> {
        let number = part_of(expansion, &state);
        let waiting = &mut self.waiting[number];
        waiting.push(state);
        if waiting.len() < WAITING {
            return Ok(());
        }
        let result = self.parts.extend(number, waiting);
        waiting.clear();
        result
    }

    pub(crate) fn flush(&mut self) -> Result<(), ExploreError> {
        for (number, waiting) in self.waiting.iter_mut().enumerate() {
            self.parts.extend(number, waiting)?;
            waiting.clear();
        }
        Ok(())
    }
}
