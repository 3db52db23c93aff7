//! Work for the threads of the pool.
//!
//! What is done with one bucket or one part of a layer takes long enough to be called through a
//! pointer.

use std::sync::{Mutex, OnceLock, PoisonError};

use rayon::prelude::*;

/// Call this with each number below `n`, on any thread.
pub(crate) fn for_each(n: usize, work: &(dyn Fn(usize) + Sync)) {
    (0..n).into_par_iter().for_each(work);
}

/// Call this once on each thread.
pub(crate) fn on_each(work: &(dyn Fn() + Sync)) {
    rayon::broadcast(|_| work());
}

/// Call this with each item and its number, on any thread, and return the results in the order of
/// the items.
pub(crate) fn map<T: Send, U: Send + Sync>(
    items: Vec<T>,
    work: impl Fn(usize, T) -> U + Sync,
) -> Vec<U> {
    let items: Vec<Mutex<Option<T>>> = items.into_iter().map(|it| Mutex::new(Some(it))).collect();
    let results: Vec<OnceLock<U>> = items.iter().map(|_| OnceLock::new()).collect();
    for_each(items.len(), &|number| {
        let mut item = items[number].lock().unwrap_or_else(PoisonError::into_inner);
        let item = item.take().expect("each item is taken once");
        results[number].get_or_init(|| work(number, item));
    });
    let results = results.into_iter().map(OnceLock::into_inner);
    results
        .map(|it| it.expect("each item has a result"))
        .collect()
}
