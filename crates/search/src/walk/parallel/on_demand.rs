//! Trees within a bound on estimated total cost, with subtrees handed out on demand.
//!
//! One thread begins alone. Once it has made enough nodes for other threads to pay, it pauses, and
//! the unvisited part of its tree is cut up: for each node of its path, the remaining children are
//! one part. An idle thread takes the first part that waits. Where there is none, the other threads
//! pause on request and hand over the first of their parts that seems large enough. So all threads
//! work near each other in the order of a single one, and little of what they do comes after the
//! first solution.
//!
//! Each part has its place in the order in which one thread visits them. A solution makes all parts
//! after it unnecessary, and the parts before it are searched completely. So the reported solution
//! is the first one in order. Counts are those of one thread: nodes visited after the solution
//! aren't counted.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::kernel::{HasKernels, Instructions};
use crate::plan::Plan;
use crate::run::limits::{Pause, Shared, Watch};
use crate::run::report::{LevelCount, Totals};
use crate::transposition::counts::TableCounts;
use crate::walk::cost::{Choice, CostEstimator, CostStart, CostTask, CostWalk, Counted, Unvisited};
use crate::walk::outcome::{Found, Least};
use crate::walk::parallel::by_cost::{CostResult, add_from};
use crate::walk::parallel::pool::{Order, Pool};
use crate::walk::parallel::run_threads;
use crate::walk::threshold::Frontier;

/// A part that is handed over should have more nodes than this, so that threads seldom wait for
/// each other.
const SMALL_PART: u64 = 1 << 20;

/// A part that is handed over should have fewer nodes than this, so that it doesn't go on for long
/// after a solution before it.
const LARGE_PART: u64 = 1 << 23;

/// The threads of a walk.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OnDemand {
    pub(crate) n_threads: usize,
    /// The nodes that one thread makes before the others begin.
    pub(crate) alone: u64,
}

/// The results of a walk in a part.
struct Piece {
    order: Order,
    counts: Totals,
    /// By depth below the root.
    levels: Vec<LevelCount>,
    overflow: bool,
    /// A solution, and what other pieces have counted already for nodes after it.
    found: Option<(Found, Totals)>,
}

/// The results in the pieces of a tree, in any order.
#[derive(Default)]
struct Pieces {
    pieces: Vec<Piece>,
    least: Least,
}

impl Pieces {
    /// Add the results and counts of a walk.
    fn add<R: HasKernels, E: CostEstimator<R>>(
        &mut self,
        part: &Unvisited<R, E::Kept>,
        order: &Order,
        walk: &mut CostWalk<'_, R, E>,
        count_forbidden: bool,
    ) {
        let mut levels = Vec::new();
        add_from(&mut levels, part.way.len(), &walk.by_depth);
        let found = walk.found.take().map(|found| {
            let way = part.way.iter().map(|Choice { rule, .. }| *rule);
            let found = Found {
                total: found.total,
                rules: way.chain(found.rules).collect(),
            };
            (found, part.counted_behind.totals(count_forbidden))
        });
        self.pieces.push(Piece {
            order: order.clone(),
            counts: walk.counts,
            levels,
            overflow: walk.overflow,
            found,
        });
        for Counted { order, counts } in walk.ahead.drain(..) {
            let places = part.way.iter().map(|Choice { place, .. }| *place);
            self.pieces.push(Piece {
                order: places.chain(order).collect(),
                counts,
                levels: Vec::new(),
                overflow: false,
                found: None,
            });
        }
    }
}

/// Walk the tree below a root. `walk` is the one that begins.
#[allow(
    clippy::too_many_arguments,
    reason = "what a walk needs, and the threads"
)]
pub(crate) fn cost_on_demand<'p, R: HasKernels, E: CostEstimator<R>>(
    plan: &'p Plan<R>,
    estimator: &'p E,
    walk: &mut CostWalk<'p, R, E>,
    instructions: Instructions,
    root: &CostStart<R, E::Kept>,
    task: &CostTask,
    threads: OnDemand,
    frontier: &mut Frontier,
    watch: &mut Watch<'_, '_>,
) -> CostResult {
    watch.pause = Pause::After(watch.generated().saturating_add(threads.alone));
    let end = walk.walk(instructions, root, task, frontier, watch);
    watch.pause = Pause::Never;
    if walk.unvisited.is_empty() {
        return CostResult {
            end,
            counts: walk.counts,
            levels: walk.by_depth.clone(),
            overflow: walk.overflow,
            found: walk.found.take(),
            table: TableCounts::default(),
        };
    }
    let mut pieces = Pieces::default();
    let whole = Unvisited::all(*root);
    pieces.add(&whole, &whole.order(), walk, task.count_forbidden);
    // The first thread continues, and the others ask for parts.
    let parts = Mutex::new(walk.unvisited.drain(..).rev().collect::<Vec<_>>());
    let pool = Pool::new(threads.n_threads);
    let levels = AtomicUsize::new(usize::MAX);
    let shared = Shared::of(watch);
    let bound = watch.bound;
    let outputs = run_threads(threads.n_threads, &shared, watch, |number| {
        let _guard = pool.guard();
        let mut mine = Vec::new();
        if number == 0 {
            mine = std::mem::take(&mut *parts.lock().unwrap_or_else(PoisonError::into_inner));
        }
        let mut worker = Worker {
            plan,
            pool: &pool,
            levels: &levels,
            number,
            walk: CostWalk::new(plan, estimator, None),
            frontier: Frontier::least(),
            mine,
            pieces: Pieces::default(),
        };
        let shared = shared.stopped_by(pool.stop_of(number));
        let mut watch = Watch::of_thread(&shared, bound);
        watch.pause = Pause::Wanted(pool.wanted().clone());
        worker.run(instructions, task, &mut watch);
        worker.pieces.least = worker.frontier.least_total();
        worker.pieces
    });
    for (thread, output) in outputs.into_iter().enumerate() {
        let n_parts = output.pieces.len();
        let counts = output.pieces.iter().map(|piece| piece.counts.generated);
        let generated = counts.sum::<u128>();
        tracing::debug!(bound, thread, n_parts, generated, "walked by a thread");
        pieces.pieces.extend(output.pieces);
        frontier.merge(output.least);
    }
    watch.note(shared.generated() - watch.generated());
    let (first, stopped) = pool.end();
    let mut result = CostResult {
        end: match (&first, stopped) {
            (None, Some(reason)) => Err(reason),
            _ => Ok(()),
        },
        counts: Totals::default(),
        levels: Vec::new(),
        overflow: false,
        found: None,
        table: TableCounts::default(),
    };
    let mut behind = Totals::default();
    for piece in pieces.pieces {
        if first.as_ref().is_some_and(|first| *first < piece.order) {
            continue;
        }
        result.counts.merge(&piece.counts);
        add_from(&mut result.levels, 0, &piece.levels);
        result.overflow |= piece.overflow;
        if first.as_ref() == Some(&piece.order)
            && let Some((found, counted)) = piece.found
        {
            result.found = Some(found);
            behind = counted;
        }
    }
    result.counts.subtract(&behind);
    result
}

/// One of the threads.
struct Worker<'p, 'q, R: HasKernels, E: CostEstimator<R>> {
    plan: &'p Plan<R>,
    pool: &'q Pool<Unvisited<R, E::Kept>>,
    /// The number of levels above a part that seems large enough to be handed over.
    levels: &'q AtomicUsize,
    number: usize,
    walk: CostWalk<'p, R, E>,
    frontier: Frontier,
    /// The parts that it keeps, the last one first.
    mine: Vec<Unvisited<R, E::Kept>>,
    pieces: Pieces,
}

impl<R: HasKernels, E: CostEstimator<R>> Worker<'_, '_, R, E> {
    /// Walk parts until there are no more.
    fn run(&mut self, instructions: Instructions, task: &CostTask, watch: &mut Watch<'_, '_>) {
        loop {
            let (part, is_given) = match self.mine.pop() {
                Some(part) => (part, false),
                None => match self.pool.take(self.number) {
                    Some(part) => (part, true),
                    None => return,
                },
            };
            let order = part.order();
            if !self.pool.begin(self.number, &order) {
                // All parts that it keeps come later.
                self.mine.clear();
                continue;
            }
            let frontier = &mut self.frontier;
            let end = self
                .walk
                .walk(instructions, &part.start, task, frontier, watch);
            if self.walk.found.is_some() {
                self.pool.found(&order);
            }
            let count_forbidden = task.count_forbidden;
            self.pieces
                .add(&part, &order, &mut self.walk, count_forbidden);
            if let Err(reason) = end
                && self.pool.stopped(&order, reason)
            {
                return;
            }
            if is_given {
                self.learn_from(&part);
            }
            let left = self.walk.unvisited.drain(..).rev();
            self.mine.extend(left.map(|mut left| {
                left.below(&part);
                left
            }));
            self.share();
        }
    }

    /// Change what seems large enough, by the size of a part that was handed over and walked, at
    /// least until a pause.
    fn learn_from(&self, part: &Unvisited<R, E::Kept>) {
        let made = u64::try_from(self.walk.counts.generated).unwrap_or(u64::MAX);
        let levels = part.way.len();
        if made < SMALL_PART && self.walk.unvisited.is_empty() {
            let missing = (SMALL_PART / made.max(1)).ilog2() as usize;
            let levels = levels.saturating_sub(1 + missing / 2);
            self.levels.store(levels, Ordering::Relaxed);
        } else if made > LARGE_PART {
            self.levels.store(levels + 1, Ordering::Relaxed);
        }
    }

    /// Hand over parts to threads that wait: the first that are large enough, and one more, for
    /// which they need not wait the next time. The last part is handed over in halves.
    fn share(&mut self) {
        let n_wanted = self.pool.wanted().load(Ordering::Relaxed);
        if n_wanted == 0 {
            return;
        }
        let levels = self.levels.load(Ordering::Relaxed);
        let mut given = Vec::new();
        while given.len() <= n_wanted && self.mine.len() >= 2 {
            let is_large = |part: &Unvisited<R, E::Kept>| part.way.len() <= levels;
            let first = self.mine.iter().rposition(is_large).unwrap_or(0);
            given.push(self.mine.remove(first));
        }
        if given.is_empty() {
            let half = self.mine.first_mut().and_then(|last| last.split(self.plan));
            given.extend(half);
        }
        if !given.is_empty() {
            self.pool
                .give(given.into_iter().map(|part| (part.order(), part)));
        }
    }
}
