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

    /// Do work on these threads. If the system refuses them, as it may where `ulimit` leaves little
    /// memory, the calling thread does it alone.
    pub(super) fn install<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        let make = || {
            let built = ThreadPoolBuilder::new().num_threads(self.n_threads).build();
            if let Err(error) = &built {
                tracing::warn!(%error, "there are no threads to spread work over");
            }
            built.ok()
        };
        match self.made.get_or_init(make) {
            Some(pool) => {
                // Traces there belong to the phase here.
                let span = tracing::Span::current();
                pool.install(|| span.in_scope(work))
            }
            None => {
                be_alone();
                work()
            }
        }
    }
}

/// Make this thread the only one of a pool, unless it is in one already. Outside of a pool, rayon
/// would start threads, and panic when they are refused.
fn be_alone() {
    let alone = ThreadPoolBuilder::new().num_threads(1).use_current_thread();
    if let Ok(pool) = alone.build() {
        // The thread stays in it until its end.
        std::mem::forget(pool);
    }
}

#[cfg(test)]
mod tests {
    use rayon::prelude::*;

    use super::*;

    #[test]
    fn without_threads_the_caller_works_alone() {
        let pool = Pool {
            n_threads: 8,
            made: OnceLock::from(None),
        };
        for _ in 0..2 {
            let here = std::thread::current().id();
            let threads = pool.install(|| {
                let by_broadcast = rayon::broadcast(|_| std::thread::current().id());
                let by_parts = (0..1000)
                    .into_par_iter()
                    .map(|_| std::thread::current().id());
                by_parts.chain(by_broadcast).collect::<Vec<_>>()
            });
            assert_eq!(threads.len(), 1001);
            assert!(threads.iter().all(|thread| *thread == here));
        }
    }
}
