//! Work for the threads of the pool.

use rayon::prelude::*;

/// Call this once on each thread.
pub(crate) fn on_each(work: &(dyn Fn() + Sync)) {
    rayon::broadcast(|_| work());
}

/// Call this with each item and its number, on any thread, and return the results in the order of
/// the items.
pub(crate) fn map<T: Send, U: Send>(
    items: Vec<T>,
    work: impl Fn(usize, T) -> U + Sync + Send,
) -> Vec<U> {
    let items = items.into_par_iter().enumerate();
    items.map(|(number, item)| work(number, item)).collect()
}
