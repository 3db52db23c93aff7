//! The threads over which work spreads.

use std::sync::OnceLock;

use rayon::{ThreadPool, ThreadPoolBuilder};

/// The threads over which work spreads, made when they are first needed.
pub(super) struct Pool {
    /// Their number; 0 stands for one for each processor.
    n_threads: usize,
    /// `None` inside if the system refuses them.
    made: OnceLock<Option<ThreadPool>>,
}

impl Pool {
    pub(super) fn of(n_threads: usize) -> Self {
        Self {
            n_threads,
            made: OnceLock::new(),
        }
    }

    pub(super) fn threads(&self) -> Option<&ThreadPool> {
        let make = || {
            let built = ThreadPoolBuilder::new().num_threads(self.n_threads).build();
            if let Err(error) = &built {
                tracing::warn!(%error, "there are no threads to spread work over");
            }
            built.ok()
        };
        self.made.get_or_init(make).as_ref()
    }
}
