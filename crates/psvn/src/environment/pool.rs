//! The threads over which work spreads.

use std::sync::{Arc, OnceLock};

use rayon::{ThreadPool, ThreadPoolBuilder};

/// The threads over which work spreads.
pub(super) enum Pool {
    Given(Arc<ThreadPool>),
    /// Some threads (0: one for each processor), made when they are first needed; `None` inside if
    /// the system refuses them.
    Own {
        threads: usize,
        made: OnceLock<Option<ThreadPool>>,
    },
}

impl Pool {
    pub(super) fn of(threads: usize) -> Self {
        Self::Own {
            threads,
            made: OnceLock::new(),
        }
    }

    pub(super) fn threads(&self) -> Option<&ThreadPool> {
        match self {
            Self::Given(pool) => Some(pool),
            Self::Own { threads, made } => made
                .get_or_init(|| {
                    let built = ThreadPoolBuilder::new().num_threads(*threads).build();
                    if let Err(error) = &built {
                        tracing::warn!(%error, "there are no threads to spread work over");
                    }
                    built.ok()
                })
                .as_ref(),
        }
    }
}
