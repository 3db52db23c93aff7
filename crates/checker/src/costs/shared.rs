//! What checks of several kinds use.

use rayon::prelude::*;

use crate::costs::estimates::table::SuccessorSearch;
use crate::costs::flaw::Fault;
use crate::limits::Limits;

/// The number of entries after which the limits are checked again.
pub(crate) const ENTRIES_AT_ONCE: usize = 1024;

/// Something with its line in the file, from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line<T> {
    pub(crate) line: usize,
    pub(crate) item: T,
}

/// Vectors that are used again for each entry.
#[derive(Default)]
pub(crate) struct Scratch {
    pub(crate) state: Vec<u32>,
    pub(crate) next: Vec<u32>,
    pub(crate) key: Vec<u64>,
    pub(crate) successors: SuccessorSearch,
}

/// Check all entries, on all threads.
pub(crate) fn for_all(
    n_entries: usize,
    limits: &Limits,
    check: impl Fn(usize, &mut Scratch) -> Result<(), Fault> + Sync,
) -> Result<(), Fault> {
    let check = |scratch: &mut Scratch, index: usize| {
        if index.is_multiple_of(ENTRIES_AT_ONCE) {
            limits.check()?;
        }
        check(index, scratch)
    };
    let entries = (0..n_entries).into_par_iter();
    let failures = entries.map_init(Scratch::default, check);
    failures.find_map_first(Result::err).map_or(Ok(()), Err)
}
