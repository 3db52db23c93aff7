//! The runs of one set of states.

use std::sync::Arc;

use crate::error::FileError;
use crate::file::{Reader, SortedFile};
use crate::files::Files;
use crate::merge::{Ascending, Merge};

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

    /// Merge all runs into one temporary file. Return the number of duplicates that were removed.
    ///
    /// # Errors
    /// If a file can't be read or written, or differs from what was written.
    pub fn merge(&mut self, files: &Files) -> Result<u64, FileError> {
        let mut union = Merge::new(self.open()?)?;
        let mut writer = files.temporary();
        while union.advance()? {
            writer.push(union.state())?;
        }
        let merged = writer.finish()?;
        let duplicates = union.n_read() - merged.content().states;
        self.files = vec![Arc::new(merged)];
        Ok(duplicates)
    }

    /// Open all runs.
    ///
    /// # Errors
    /// If the system can't open a file.
    pub fn open(&self) -> Result<Vec<Reader>, FileError> {
        self.files.iter().map(Reader::open).collect()
    }

    /// Take all runs, and leave none.
    pub fn take(&mut self) -> Vec<Arc<SortedFile>> {
        std::mem::take(&mut self.files)
    }
}
