//! Several threads for one search.
//!
//! Searches by cost hand out subtrees [on demand](on_demand): an idle thread takes over an
//! unvisited part of another thread's tree. Counts and solutions are those of one thread.
//!
//! Searches by depth, those with a transposition table, and those of several processes cut the tree
//! into many subtrees beforehand, which the threads take one by one. Counts are sums, so they don't
//! depend on the number of threads; which of several solutions is found first does.

mod by_cost;
mod by_depth;
mod on_demand;
mod pool;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use crate::heuristic::lookups::{count_lookups, lookups};
use crate::run::hand_out::{HandOut, Piece, Subtrees};
use crate::run::limits::{Shared, StopReason, Watch};

pub(crate) use by_cost::{CostResult, cost_in_parallel};
pub(crate) use by_depth::{DepthResult, walk_in_parallel};
pub(crate) use on_demand::{OnDemand, cost_on_demand};

/// The number of subtrees for each thread.
const TASKS_PER_THREAD: usize = 512;

/// The minimum and maximum number of subtrees that are handed out in a round.
const PIECES: (u64, u64) = (1 << 10, 1 << 15);

/// The approximate number of nodes of a subtree that is handed out, if there can be that many
/// subtrees.
const NODES_OF_PIECE: u64 = 1 << 22;

/// Return the minimum number of subtrees. If they are handed out, it doesn't depend on the number
/// of threads, so that it is the same in all processes.
fn subtrees(hand_out: Option<&dyn HandOut>, n_threads: usize, nodes: u64) -> usize {
    match hand_out {
        None => TASKS_PER_THREAD * n_threads,
        Some(hand_out) => {
            let pieces = (nodes / NODES_OF_PIECE).clamp(PIECES.0, PIECES.1) as usize;
            pieces.max(hand_out.least_subtrees())
        }
    }
}

/// The time between two checks of the threads and progress reports by the main thread.
const TICK: Duration = Duration::from_millis(20);

/// The queue from which a thread takes its tasks.
pub(crate) struct Queue<'t, T> {
    tasks: &'t [T],
    next: &'t AtomicUsize,
}

impl<'t, T> Queue<'t, T> {
    /// Return the next task, until there are no more.
    pub(crate) fn next(&self) -> Option<&'t T> {
        self.tasks.get(self.next.fetch_add(1, Ordering::Relaxed))
    }
}

/// Run threads over tasks. Each one gets the queue and its own watch.
fn run<T: Sync, O: Send>(
    n_threads: usize,
    tasks: &[T],
    shared: &Shared,
    watch: &mut Watch<'_, '_>,
    worker: &(dyn Fn(Queue<'_, T>, &mut Watch<'_, '_>) -> O + Sync),
) -> Vec<O> {
    let next = AtomicUsize::new(0);
    let bound = watch.bound;
    let next = &next;
    run_threads(n_threads, shared, watch, &|_| {
        let mut watch = Watch::of_thread(shared, bound);
        worker(Queue { tasks, next }, &mut watch)
    })
}

/// Run threads, each with its number, and report progress meanwhile. Their look-ups count as this
/// thread's.
fn run_threads<O: Send>(
    n_threads: usize,
    shared: &Shared,
    watch: &mut Watch<'_, '_>,
    worker: &(dyn Fn(usize) -> O + Sync),
) -> Vec<O> {
    let waiting = &std::thread::current();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..n_threads)
            .map(|number| {
                scope.spawn(move || {
                    let output = worker(number);
                    waiting.unpark();
                    (output, lookups())
                })
            })
            .collect();
        while threads.iter().any(|thread| !thread.is_finished()) {
            std::thread::park_timeout(TICK);
            watch.report(shared.generated());
        }
        let outputs = threads.into_iter().map(|thread| match thread.join() {
            Ok((output, n_lookups)) => {
                count_lookups(n_lookups);
                output
            }
            Err(panic) => std::panic::resume_unwind(panic),
        });
        outputs.collect()
    })
}

/// Let subtrees be handed out. `path` gives the rules that lead to one, and `search` searches it.
fn hand_out<T: Sync>(
    hand_out: &dyn HandOut,
    bound: u64,
    subtrees: &[T],
    path: &(dyn Fn(&T) -> &[u32] + Sync),
    watch: &mut Watch<'_, '_>,
    search: &(dyn Fn(&T, &mut Watch<'_, '_>) -> Result<Piece, StopReason> + Sync),
) -> Result<Vec<Piece>, StopReason> {
    let shared = Shared::of(watch);
    let shown = watch.bound;
    let search = |number: u64, stop: &Arc<AtomicBool>| {
        let shared = shared.stopped_by(stop);
        let mut watch = Watch::of_thread(&shared, shown);
        search(&subtrees[number as usize], &mut watch)
    };
    let handed_out = Subtrees {
        bound,
        n: subtrees.len() as u64,
        path: &|number| path(&subtrees[number as usize]),
        search: &search,
    };
    let pieces = hand_out.round(&handed_out, &mut |nodes| watch.goes_on(nodes))?;
    watch.note(pieces.iter().map(Piece::generated).sum());
    Ok(pieces)
}

/// Return why threads stopped, out of their reasons. A stop by another thread is not a reason.
pub(crate) fn first_reason(
    shared: &Shared,
    mut reasons: impl Iterator<Item = StopReason>,
) -> Option<StopReason> {
    let was_told = shared.is_stopped();
    reasons.find(|reason| !was_told || *reason != StopReason::Interrupted)
}
