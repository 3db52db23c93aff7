//! Work on the parts of a table, by all threads.
//!
//! The loops of threads are compiled once, not for each kind of work: a part takes long enough for
//! a call through a pointer.

use std::convert::Infallible;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

/// Do some work for each number below `n`, until one fails.
///
/// # Errors
/// The one of the work.
pub(crate) fn for_each<E: Send>(
    n: usize,
    work: &(dyn Fn(usize) -> Result<(), E> + Sync),
) -> Result<(), E> {
    let failed = Mutex::new(None);
    until_false(n, &|number| {
        let done = work(number);
        let is_done = done.is_ok();
        if let Err(error) = done {
            *lock(&failed) = Some(error);
        }
        is_done
    });
    let failed = lock(&failed).take();
    failed.map_or(Ok(()), Err)
}

/// Call a function with each number below `n`, until it returns `false`.
fn until_false(n: usize, work: &(dyn Fn(usize) -> bool + Sync)) {
    let _ = (0..n).into_par_iter().all(work);
}

/// Lock what no thread leaves half changed.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The same with scratch memory, of which there is one for each thread at most.
///
/// # Errors
/// The one of the work.
pub(crate) fn for_each_with<S: Send, E: Send>(
    n: usize,
    scratch: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, usize) -> Result<(), E> + Sync,
) -> Result<(), E> {
    let unused = Mutex::new(Vec::new());
    for_each(n, &|number| {
        let taken = lock(&unused).pop();
        let mut taken = taken.unwrap_or_else(&scratch);
        work(&mut taken, number)?;
        lock(&unused).push(taken);
        Ok(())
    })
}

/// Return what some work finds for each number below `n`, unless one fails.
///
/// # Errors
/// The one of the work.
pub(crate) fn find_all<E: Send>(
    n: usize,
    work: &(dyn Fn(usize) -> Result<u32, E> + Sync),
) -> Result<Vec<u32>, E> {
    let found: Vec<AtomicU32> = (0..n).map(|_| AtomicU32::new(0)).collect();
    for_each(n, &|number| {
        found[number].store(work(number)?, Ordering::Relaxed);
        Ok(())
    })?;
    Ok(found.into_iter().map(AtomicU32::into_inner).collect())
}

/// Return the sum of what a function returns for each number below `n`.
pub(crate) fn sum(n: usize, count: &(dyn Fn(usize) -> u64 + Sync)) -> u64 {
    let sum = AtomicU64::new(0);
    let Ok(()) = for_each::<Infallible>(n, &|number| {
        sum.fetch_add(count(number), Ordering::Relaxed);
        Ok(())
    });
    sum.into_inner()
}
