//! Trees within a bound on estimated total cost, with subtrees handed out on demand.
//!
//! One thread begins alone. Once it has made enough nodes for other threads to pay, it pauses, and
//! the unvisited part of its tree is cut up: for each node of its path, the remaining children are
//! one part. The parts that seem large wait for any thread; the first of them is taken next. A
//! thread that has made many nodes of a part pauses again and cuts the rest up, and so do all
//! threads where one waits in vain. So all threads work near each other in the order of a single
//! one, and little of what they do comes after the first solution.
//!
//! Each part has its place in the order in which one thread visits them. A solution makes all parts
//! after it unnecessary, and the parts before it are searched completely. So the reported solution
//! is the first one in order. Counts are those of one thread: nodes visited after the solution
//! aren't counted.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::kernel::{HasKernels, Instructions};
use crate::plan::Plan;
use crate::run::limits::{Pause, Shared, StopReason, Turn, Watch};
use crate::run::report::{LevelCount, Totals};
use crate::transposition::counts::TableCounts;
use crate::walk::cost::{Choice, CostEstimator, CostStart, CostTask, CostWalk, Counted, Unvisited};
use crate::walk::outcome::{Found, Least};
use crate::walk::parallel::by_cost::{CostResult, add_from};
use crate::walk::parallel::pool::{Handed, Order};
use crate::walk::parallel::run_threads;
use crate::walk::threshold::Frontier;

/// A part that is handed over should have more nodes than this, so that threads seldom wait for
/// each other.
const SMALL_PART: u64 = 1 << 18;

/// A thread makes at least this many nodes of a part before it cuts up the rest.
const LEAST_TURN: u64 = 1 << 21;

/// The turns that each thread would take for the nodes made so far. As turns get longer in large
/// trees, there are not many pieces of results, and threads seldom wait for each other.
const TURNS: u64 = 16;

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

/// The place of a part in the tree.
struct Place<'p> {
    order: &'p Order,
    way: &'p [Choice],
    /// What other pieces have counted already for nodes after it.
    counted_behind: Totals,
}

/// The results of a walk.
struct Walked<'w> {
    counts: Totals,
    by_depth: &'w [LevelCount],
    overflow: bool,
    found: Option<Found>,
    ahead: Vec<Counted>,
}

impl<'w> Walked<'w> {
    /// Take the results of the last walk.
    fn of<R: HasKernels, E: CostEstimator<R>>(walk: &'w mut CostWalk<'_, R, E>) -> Self {
        Self {
            counts: walk.counts,
            overflow: walk.overflow,
            found: walk.found.take(),
            ahead: std::mem::take(&mut walk.ahead),
            by_depth: &walk.by_depth,
        }
    }
}

/// The results in the pieces of a tree, in any order.
#[derive(Default)]
struct Pieces {
    pieces: Vec<Piece>,
    least: Least,
}

impl Pieces {
    /// Add the results and counts of a walk.
    fn add(&mut self, part: Place<'_>, walked: Walked<'_>) {
        let Place {
            order,
            way,
            counted_behind,
        } = part;
        let mut levels = Vec::new();
        if !walked.by_depth.is_empty() {
            add_from(&mut levels, way.len(), walked.by_depth);
        }
        let found = walked.found.map(|found| {
            let way = way.iter().map(|Choice { rule, .. }| *rule);
            let found = Found {
                total: found.total,
                rules: way.chain(found.rules).collect(),
            };
            (found, counted_behind)
        });
        self.pieces.push(Piece {
            order: order.clone(),
            counts: walked.counts,
            levels,
            overflow: walked.overflow,
            found,
        });
        for Counted { order, counts } in walked.ahead {
            let places = way.iter().map(|Choice { place, .. }| *place);
            self.pieces.push(Piece {
                order: places.chain(order).collect(),
                counts,
                levels: Vec::new(),
                overflow: false,
                found: None,
            });
        }
    }

    /// Return the results of the whole tree, given the place of the first solution and the limit
    /// that stopped the threads.
    fn into_result(self, first: Option<Order>, stopped: Option<StopReason>) -> CostResult {
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
        for piece in self.pieces {
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
    let whole = Place {
        order: &Vec::new(),
        way: &[],
        counted_behind: Totals::default(),
    };
    pieces.add(whole, Walked::of(walk));
    // The first thread continues, and the others ask for parts.
    let mut parts = std::mem::take(&mut walk.unvisited);
    parts.reverse();
    let parts = Mutex::new(parts);
    let handed = Handed::new(threads.n_threads);
    let pool = &handed.pool;
    let levels = AtomicUsize::new(usize::MAX);
    let shared = Shared::of(watch);
    let bound = watch.bound;
    let first_walk = &*walk;
    let work = |number: usize| {
        let _guard = pool.guard();
        let mut mine = Vec::new();
        if number == 0 {
            mine = std::mem::take(&mut *parts.lock().unwrap_or_else(PoisonError::into_inner));
        }
        let mut worker = Worker {
            plan,
            handed: &handed,
            levels: &levels,
            number,
            walk: CostWalk::new(plan, estimator, None),
            frontier: Frontier::least(),
            mine,
            pieces: Pieces::default(),
        };
        let before = shared.generated();
        let shared = shared.stopped_by(pool.stop_of(number));
        let mut watch = Watch::of_thread(&shared, bound);
        let turn = || {
            let made = shared.generated() - before;
            LEAST_TURN.max(made / (TURNS * threads.n_threads as u64))
        };
        worker.walk.continues(first_walk);
        worker.share();
        worker.run(instructions, task, &turn, &mut watch);
        worker.pieces.least = worker.frontier.least_total();
        worker.pieces
    };
    let outputs = run_threads(threads.n_threads, &shared, watch, &work);
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
    pieces.into_result(first, stopped)
}

/// One of the threads.
struct Worker<'p, 'q, R: HasKernels, E: CostEstimator<R>> {
    plan: &'p Plan<R>,
    handed: &'q Handed<Unvisited<R, E::Kept>>,
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
    /// Walk parts until there are no more. `turn` is the number of nodes after which a walk pauses.
    fn run(
        &mut self,
        instructions: Instructions,
        task: &CostTask,
        turn: &dyn Fn() -> u64,
        watch: &mut Watch<'_, '_>,
    ) {
        loop {
            let (part, is_given) = match self.mine.pop() {
                Some(part) => (part, false),
                None => match self.handed.take(self.number) {
                    Some(part) => (part, true),
                    None => return,
                },
            };
            let order = part.order();
            let pool = &self.handed.pool;
            if !pool.begin(self.number, &order) {
                // All parts that it keeps come later.
                self.mine.clear();
                continue;
            }
            let turn = turn();
            let after = watch.generated() + turn;
            watch.pause = Pause::Wanted {
                threads: pool.wanted().clone(),
                turn: Turn {
                    after,
                    latest: after + turn,
                },
            };
            self.walk.begins_at(part.way.len());
            let frontier = &mut self.frontier;
            let end = self
                .walk
                .walk(instructions, &part.start, task, frontier, watch);
            if self.walk.found.is_some() {
                pool.found(&order);
            }
            let place = Place {
                order: &order,
                way: &part.way,
                counted_behind: part.counted_behind.totals(task.count_forbidden),
            };
            self.pieces.add(place, Walked::of(&mut self.walk));
            if let Err(reason) = end
                && pool.stopped(&order, reason)
            {
                return;
            }
            self.learn_from(&part, is_given);
            while let Some(mut left) = self.walk.unvisited.pop() {
                left.below(&part);
                self.mine.push(left);
            }
            self.share();
        }
    }

    /// Change what seems large enough to be handed over: by the size of a part that was handed over
    /// and walked, and of one that a walk didn't get to the end of.
    fn learn_from(&self, part: &Unvisited<R, E::Kept>, is_given: bool) {
        let made = u64::try_from(self.walk.counts.generated).unwrap_or(u64::MAX);
        let levels = part.way.len();
        if self.walk.unvisited.is_empty() {
            if is_given && made < SMALL_PART {
                let missing = (SMALL_PART / made.max(1)).ilog2() as usize;
                let levels = levels.saturating_sub(1 + missing / 2);
                self.levels.store(levels, Ordering::Relaxed);
            }
        } else if made >= LEAST_TURN {
            self.levels.fetch_max(levels + 1, Ordering::Relaxed);
        }
    }

    /// Hand over the parts that seem large enough, and some to threads that wait: one more than
    /// there are threads, so that they need not wait the next time. The last part is handed over in
    /// halves.
    fn share(&mut self) {
        let levels = self.levels.load(Ordering::Relaxed);
        let n_wanted = self.handed.pool.wanted().load(Ordering::Relaxed);
        let (mut given, mut place) = (Vec::new(), 0);
        while place < self.mine.len() {
            if self.mine[place].way.len() <= levels {
                given.push(self.mine.remove(place));
            } else {
                place += 1;
            }
        }
        while n_wanted > 0 && given.len() <= n_wanted && self.mine.len() >= 2 {
            given.push(self.mine.remove(0));
        }
        if n_wanted > 0 && given.is_empty() {
            let graph = &self.plan.graph;
            let half = self.mine.first_mut().and_then(|last| last.split(graph));
            given.extend(half);
        }
        for part in given {
            self.handed.give(part.order(), part);
        }
    }
}
