//! Several threads for one search.
//!
//! A tree is cut into many subtrees, which the threads take one by one: a thread that has drawn
//! small ones just takes more of them. Counts are sums, and so the same whatever the number of
//! threads; which of several solutions is found first is not.

mod by_cost;
mod by_depth;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::run::limits::{Shared, StopReason, Watch};

pub(crate) use by_cost::{CostResult, cost_in_parallel};
pub(crate) use by_depth::{DepthResult, walk_in_parallel};

/// The number of subtrees for each thread.
const TASKS_PER_THREAD: usize = 512;

/// How often the main thread checks its threads and reports progress.
const TICK: Duration = Duration::from_millis(20);

/// What a thread takes its tasks from.
pub(crate) struct Queue<'t, T> {
    tasks: &'t [T],
    next: &'t AtomicUsize,
}

impl<'t, T> Queue<'t, T> {
    /// The next task, until there are no more.
    pub(crate) fn next(&self) -> Option<&'t T> {
        self.tasks.get(self.next.fetch_add(1, Ordering::Relaxed))
    }
}

/// Run threads over tasks. Each one gets the queue and a watch of its own.
fn run<T: Sync, O: Send>(
    n_threads: usize,
    tasks: &[T],
    shared: &Shared,
    watch: &mut Watch<'_, '_>,
    worker: impl Fn(Queue<'_, T>, &mut Watch<'_, '_>) -> O + Sync,
) -> Vec<O> {
    let next = AtomicUsize::new(0);
    let bound = watch.bound;
    let (next, worker) = (&next, &worker);
    let waiting = std::thread::current();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..n_threads)
            .map(|_| {
                let waiting = waiting.clone();
                scope.spawn(move || {
                    let mut watch = Watch::of_thread(shared, bound);
                    let output = worker(Queue { tasks, next }, &mut watch);
                    waiting.unpark();
                    output
                })
            })
            .collect();
        while threads.iter().any(|thread| !thread.is_finished()) {
            std::thread::park_timeout(TICK);
            watch.report(shared.generated());
        }
        threads
            .into_iter()
            .map(|thread| match thread.join() {
                Ok(output) => output,
                Err(panic) => std::panic::resume_unwind(panic),
            })
            .collect()
    })
}

/// Why threads stopped, out of the reasons that they give. To be stopped by another thread is none.
fn first_reason(
    shared: &Shared,
    mut reasons: impl Iterator<Item = StopReason>,
) -> Option<StopReason> {
    let was_told = shared.is_stopped();
    reasons.find(|reason| !was_told || *reason != StopReason::Interrupted)
}
