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
        match self.made.get_or_init(|| self.make()) {
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

    /// Start the threads, unless the system refuses them.
    fn make(&self) -> Option<ThreadPool> {
        let n_threads = match self.n_threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            n => n,
        };
        if !has_room_for_threads(n_threads) {
            tracing::warn!("there is no memory for threads to spread work over");
            return None;
        }
        let built = ThreadPoolBuilder::new().num_threads(n_threads).build();
        if let Err(error) = &built {
            tracing::warn!(%error, "there are no threads to spread work over");
        }
        built.ok()
    }
}

/// The bytes that a thread takes to begin with: its stack, and what it allocates at its start.
const BYTES_OF_THREAD: usize = 4 << 20;

/// Return whether there is memory for threads, at about 4 MiB each. One that can be started, but
/// gets no memory at its start, would end the process.
pub fn has_room_for_threads(n_threads: usize) -> bool {
    let bytes = n_threads.saturating_mul(BYTES_OF_THREAD);
    let mut room = Vec::<u8>::new();
    let has_room = room.try_reserve_exact(bytes).is_ok();
    // The compiler may leave out memory that nobody looks at.
    std::hint::black_box(&room);
    has_room
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
