//! Work for the threads of the pool.
//!
//! What is done with one bucket or one part of a layer takes long enough to be called through a
//! pointer.

use rayon::prelude::*;

/// Call this with each number below `n`, on any thread.
pub(crate) fn for_each(n: usize, work: &(dyn Fn(usize) + Sync)) {
    (0..n).into_par_iter().for_each(work);
}

/// Call this once on each thread.
pub(crate) fn on_each(work: &(dyn Fn() + Sync)) {
    rayon::broadcast(|_| work());
}
