//! Work for the threads of the pool.

use rayon::prelude::*;

/// Call this once on each thread.
pub(crate) fn on_each(work: &(dyn Fn() + Sync)) {
    rayon::broadcast(|_| work());
}
