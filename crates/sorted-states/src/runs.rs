//! The runs of one set of states.

use std::sync::Arc;

use crate::error::FileError;
use crate::file::{Reader, SortedFile, Writer};
use crate::files::Files;
use crate::merge::{Ascending, Merge};
use crate::states::sort;

/// Sorted runs of one set of states, to be merged when there are as many as may be open at once.
#[derive(Debug)]
pub struct Runs {
    files: Vec<Arc<SortedFile>>,
    most: usize,
}

impl Runs {
    /// Make an empty set of at most `most` files.
    pub fn new(most: usize) -> Self {
        Self {
            files: Vec::new(),
            most,
        }
    }

    /// Return the number of files.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Return whether there are no files.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Return the bytes of all files.
    pub fn n_bytes(&self) -> u64 {
        self.files.iter().map(|file| file.n_bytes()).sum()
    }

    /// Add a run. It may be the last one for which there is room; then [`is_full`](Self::is_full).
    pub fn add(&mut self, run: Arc<SortedFile>) {
        self.files.push(run);
    }

    /// Return whether the runs should be merged before another one is added.
    pub fn is_full(&self) -> bool {
        self.files.len() >= self.most
    }

    /// Merge the runs in memory into one temporary file, or all runs if at most one is in memory.
    /// Return the number of duplicates that were removed.
    ///
    /// # Errors
    /// If a file can't be read or written, or differs from what was written.
    pub fn merge(&mut self, files: &Files) -> Result<u64, FileError> {
        let mut merged = self.take_from_memory();
        if merged.len() < 2 {
            merged.append(&mut self.files);
        }
        let union = Merge::new(merged.iter().map(Reader::open).collect::<Result<_, _>>()?)?;
        let (run, duplicates) = write(union, files.temporary())?;
        self.files.push(run);
        Ok(duplicates)
    }

    /// Take the runs that are in memory.
    pub fn take_from_memory(&mut self) -> Vec<Arc<SortedFile>> {
        let files = std::mem::take(&mut self.files).into_iter();
        let (memory, disk) = files.partition(|file| file.is_in_memory());
        self.files = disk;
        memory
    }

    /// Open all runs.
    ///
    /// # Errors
    /// If the system can't open a file.
    pub fn open(&self) -> Result<Vec<Reader>, FileError> {
        self.files.iter().map(Reader::open).collect()
    }

    /// Open all runs and further ascending states, one after another. Runs in memory become one
    /// sequence with those, if that has at most `most` states of one word: sorting them takes less
    /// time than merging.
    ///
    /// # Errors
    /// If a file can't be read, or differs from what was written.
    pub fn open_with(
        &mut self,
        files: &Files,
        mut states: Vec<u64>,
        most: usize,
    ) -> Result<Vec<Reader>, FileError> {
        let in_memory = self.files.iter().filter(|run| run.is_in_memory());
        let n_states: u64 = in_memory.map(|run| run.content().states).sum();
        if files.form().words() == 1 && n_states.saturating_add(states.len() as u64) <= most as u64
        {
            states.reserve(n_states as usize);
            for run in self.take_from_memory() {
                let mut run = run.open()?;
                loop {
                    let some = run.chunk()?;
                    if some.is_empty() {
                        break;
                    }
                    states.extend_from_slice(some);
                }
            }
            let kept = sort(&mut states, 1);
            states.truncate(kept);
        }
        let mut sources = self.open()?;
        sources.push(files.in_memory(states));
        Ok(sources)
    }

    /// Take all runs, and leave none.
    pub fn take(&mut self) -> Vec<Arc<SortedFile>> {
        std::mem::take(&mut self.files)
    }
}

impl Files {
    /// Write a run of ascending states, one after another: in memory if there is room for it, and
    /// otherwise to the disk, together with the runs in memory that `others` returns, of which at
    /// most `most` states are sorted together.
    ///
    /// # Errors
    /// If a file can't be read or written, or differs from what was written.
    pub fn write_run(
        &self,
        states: Vec<u64>,
        most: usize,
        others: impl FnOnce() -> Vec<Arc<SortedFile>>,
    ) -> Result<Arc<SortedFile>, FileError> {
        if self.room_in_memory() >= bytes_of_run(&states, self.form().words()) {
            return self.write(&states);
        }
        let mut others = Runs {
            files: others(),
            most,
        };
        let sources = others.open_with(self, states, most)?;
        Ok(write(Merge::new(sources)?, self.temporary_on_disk())?.0)
    }
}

/// Return about how many bytes a run of ascending states takes, seldom more.
fn bytes_of_run(states: &[u64], width: usize) -> u64 {
    match states {
        // The code of a difference has about two bits more than the mean one.
        [first, .., last] if width == 1 => {
            let n_states = states.len() as u64;
            let bits = ((last - first) / n_states).checked_ilog2().unwrap_or(0) + 3;
            (n_states * u64::from(bits)).div_ceil(8)
        }
        // Differences take less than states.
        _ => size_of_val(states) as u64,
    }
}

/// Write a union of runs. Return also the number of duplicates that were removed.
fn write(
    mut union: Merge<Reader>,
    mut writer: Writer,
) -> Result<(Arc<SortedFile>, u64), FileError> {
    while union.advance()? {
        writer.push(union.state())?;
    }
    let run = writer.finish()?;
    let duplicates = union.n_read() - run.content().states;
    Ok((Arc::new(run), duplicates))
}
