//! Work on the parts of a table, by all threads.
//!
//! The loops of threads are compiled once, not for each kind of work: a part takes long enough for
//! a call through a pointer.

use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use crate::progress::BuildError;

/// Do some work for each number below `n`, until one fails.
///
/// # Errors
/// The one of the work.
pub(super) fn for_each(
    n: usize,
    work: &(dyn Fn(usize) -> Result<(), BuildError> + Sync),
) -> Result<(), BuildError> {
    (0..n).into_par_iter().try_for_each(work)
}

/// The same with scratch memory, of which there is one for each thread at most.
///
/// # Errors
/// The one of the work.
pub(super) fn for_each_with<S: Send>(
    n: usize,
    scratch: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, usize) -> Result<(), BuildError> + Sync,
) -> Result<(), BuildError> {
    let unused = Mutex::new(Vec::new());
    let unused = || unused.lock().unwrap_or_else(PoisonError::into_inner);
    for_each(n, &|number| {
        let taken = unused().pop();
        let mut taken = taken.unwrap_or_else(&scratch);
        work(&mut taken, number)?;
        unused().push(taken);
        Ok(())
    })
}
