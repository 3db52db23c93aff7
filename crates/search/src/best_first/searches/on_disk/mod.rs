//! A* whose states leave the memory for a disk when it is full.
//!
//! External A\* (Edelkamp, Jabbar & Schrödl 2004) with delayed duplicate detection (Korf 2004,
//! "Best-First Frontier Search with Delayed Duplicate Detection"). Open states lie in buckets by
//! path cost g and estimate h. A generated state is appended to its bucket; whether it is known is
//! found out when the bucket's turn comes: its states are sorted, in runs that fit the memory, and
//! merged; then those that were closed at no more cost are left out. A state has one estimate, so
//! only closed buckets of the same h can have it. Buckets are divided into parts by the hashes of
//! states, so that threads work on different parts.
//!
//! | module | what it does |
//! |---|---|
//! | `front` | the methods of [`Run`](crate::Run) |
//! | `worker`, `outbox` | a thread: closing and expanding, and generated states on their way |
//! | `lists` | open and closed buckets; which states leave the memory |
//! | `sets` | sets of states in memory or in files |
//! | `room` | the memory of a search, and lists in it |
//! | `path` | the way back from a goal, without links |
//!
//! Files and merges are those of the crate `sorted_states`.
//!
//! # Why the solution costs least
//! Buckets come in the order of f = g + h. Let C be the least cost of a path to a goal, and P such
//! a path. At any time before the end, some state of P is open with its least cost: the first one
//! that isn't closed with it. For it was generated with that cost when the state before it was
//! closed, and wasn't left out, since only states closed at no more cost are. With an admissible
//! estimate its f is at most C, so the bucket whose turn it is has f at most C. The first goal that
//! is found there costs g, at most f, at most C. Nothing here needs a consistent estimate: a state
//! that comes again at less cost isn't in the closed buckets of its cost and below, and is expanded
//! again. Nor must rules cost anything: states that are generated into the bucket being expanded
//! make a new one of the same costs, whose turn comes next.

mod error;
mod front;
mod lists;
mod outbox;
mod path;
mod room;
mod sets;
#[cfg(test)]
mod tests;
mod worker;

pub use error::OnDiskError;

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use sorted_states::Form;

use crate::best_first::report::{OnDiskCounts, StoredStates};
use crate::best_first::searches::a_star::estimates::Estimates;
use crate::best_first::space::images::{Images, StateMap};
use crate::best_first::work::{Counts, Work};
use crate::heuristic::{DEAD_END, Heuristic};
use crate::run::limits::{Shared, StopReason, Watch};
use crate::run::report::{Iteration, Outcome, Solution, SolveReport, Totals};
use crate::walk::parallel::first_reason;

use self::error::Halt;
use self::lists::{Closed, Key, Lists, Pile};
use self::path::Back;
use self::room::{Shares, lock};
use self::sets::Disk;
use self::worker::{Job, Ticket, Worker};

/// The memory of a search without a limit.
const DEFAULT_MEMORY: usize = 1 << 30;

/// The time between two looks at what the threads have done.
const TICK: Duration = Duration::from_millis(50);

/// Buckets with fewer states are expanded by one thread.
const SMALL: u64 = 1 << 13;

/// What is searched, and how.
struct Request<'r> {
    start: &'r psvn_ir::State,
    heuristic: &'r dyn Heuristic,
    maps: &'r [StateMap],
    folder: &'r Path,
    n_threads: usize,
    /// The most bytes of all files.
    most_bytes: u64,
    /// How to divide the memory, if not by the limit.
    shares: Option<Shares>,
}

/// Search, and report.
fn a_star(
    mut work: Work<'_, '_>,
    start: &[u64],
    request: &Request<'_>,
) -> Result<SolveReport, OnDiskError> {
    let (words, bytes) = work.space.packing.size();
    let form = Form::new(words, bytes.max(1));
    let memory = work.countdown.watch().limits().memory;
    let memory = memory.unwrap_or(DEFAULT_MEMORY);
    let shares = Shares::of(memory, request.n_threads, words);
    let Some(shares) = request.shares.or(shares) else {
        return Ok(work.nothing(StopReason::Memory));
    };
    let disk = Disk::new(shares, form, request.folder, request.most_bytes)?;
    let lists = Lists::new(&disk);
    let mut iterations = Vec::new();
    let found = search(&mut work, &lists, start, request, &mut iterations);
    let outcome = match found {
        Ok(outcome) => Ok(outcome),
        Err(Halt::Limit(reason)) => Err(reason),
        Err(Halt::File(error)) => return Err(error.into()),
    };
    let (closed, open) = lists.amounts();
    let stored = StoredStates {
        closed: closed.states - work.counts.reopened,
        open: open.states,
        table_bytes: usize::try_from(closed.bytes).unwrap_or(usize::MAX),
        open_bytes: usize::try_from(open.bytes).unwrap_or(usize::MAX),
    };
    let usage = disk.files.usage();
    let mut report = work.report(outcome, stored, None);
    report.iterations = iterations;
    if let Some(counts) = &mut report.best_first {
        counts.peak_bytes = disk.room.peak();
        counts.on_disk = Some(OnDiskCounts {
            bytes: usage.bytes,
            peak_bytes: usage.peak,
            read: usage.read,
            written: usage.written,
        });
    }
    Ok(report)
}

fn search(
    work: &mut Work<'_, '_>,
    lists: &Lists<'_>,
    start: &[u64],
    request: &Request<'_>,
    iterations: &mut Vec<Iteration>,
) -> Result<Outcome, Halt> {
    let space = work.space;
    let estimates = || Estimates::new(space, request.heuristic);
    let images = || Images::new(space, request.maps, request.start);
    work.heuristic_start = estimates().of(space, start);
    if work.heuristic_start == DEAD_END {
        return Ok(Outcome::NoSolution);
    }
    let key = Key {
        g: 0,
        h: work.heuristic_start,
    };
    lists.extend(&*lists.pile(key)?, lists.part_of(start), start)?;
    let workers = (0..request.n_threads).map(|_| Worker::new(space, lists, estimates(), images()));
    let workers: Vec<Mutex<Worker<'_, '_, '_>>> = workers.map(Mutex::new).collect();
    let shared = Shared::of(work.countdown.watch());
    let mut turn = 0;
    let mut overflow = false;
    while let Some(pile) = lists.next() {
        let Key { g, h } = pile.key;
        let Some(f) = g.checked_add(h) else {
            overflow = true;
            break;
        };
        work.countdown.set_bound(f);
        let before = work.counts;
        let crew = Crew {
            workers: &workers,
            shared: &shared,
            n_parts: lists.n_parts(),
        };
        let closed = Arc::new(Closed::new(pile.key, turn, lists.disk));
        let goal = crew.process(work, lists, pile, &closed);
        let counts = workers.iter().map(|worker| lock(worker).counts);
        work.counts = counts.fold(Counts::default(), |sum, counts| sum.plus(&counts));
        overflow |= workers.iter().any(|worker| lock(worker).overflow);
        count_bound(iterations, f, &before, &work.counts);
        turn += 1;
        if let Some(goal) = goal? {
            let mut back = Back {
                space,
                lists,
                images: images(),
            };
            let moves = back.rules(start, &goal, &closed, work.countdown.watch())?;
            let cost = space.cost_of(&moves);
            return Ok(Outcome::Solved(Solution { moves, cost }));
        }
    }
    if overflow {
        Err(StopReason::CostOverflow.into())
    } else {
        Ok(Outcome::NoSolution)
    }
}

/// Count the work on a bucket for its bound.
fn count_bound(iterations: &mut Vec<Iteration>, bound: u64, before: &Counts, after: &Counts) {
    let totals = Totals {
        generated: (after.generated - before.generated).into(),
        expanded: (after.expanded - before.expanded).into(),
        ..Totals::default()
    };
    let made = Iteration::new(bound, &totals);
    match iterations.last_mut() {
        Some(last) if last.bound == bound => {
            last.generated += made.generated;
            last.expanded += made.expanded;
        }
        _ => iterations.push(made),
    }
}

/// The threads of a search.
struct Crew<'c, 'w, 'd, 'h> {
    workers: &'c [Mutex<Worker<'w, 'd, 'h>>],
    shared: &'c Shared,
    n_parts: usize,
}

impl<'d> Crew<'_, '_, 'd, '_> {
    /// Close and expand a bucket. Return a goal state of it, the same for any number of threads.
    fn process(
        &self,
        work: &mut Work<'_, '_>,
        lists: &Lists<'d>,
        pile: Arc<Pile<'d>>,
        closed: &Arc<Closed<'d>>,
    ) -> Result<Option<Vec<u64>>, Halt> {
        let Key { g, h } = pile.key;
        let same = lists.closed(h);
        let (before, after) = same.into_iter().partition(|bucket| bucket.key.g <= g);
        let is_small = pile.n_states() < SMALL;
        let job = Job {
            pile,
            closed: Arc::clone(closed),
            before,
            after,
            // Where a goal may be, it is looked for first.
            at_once: h > 0,
        };
        let close = |worker: &mut Worker<'_, 'd, '_>, part, ticket: &mut Ticket<'_>| {
            worker.close(&job, part, ticket)
        };
        let goal = self.each_part(work, is_small, &close)?;
        lists.close(closed);
        if goal.is_some() || job.at_once {
            return Ok(goal);
        }
        let expand = |worker: &mut Worker<'_, 'd, '_>, part, ticket: &mut Ticket<'_>| {
            worker.expand_part(&job, part, ticket).map(|()| None)
        };
        self.each_part(work, is_small, &expand)
    }

    /// Do something with each part of a bucket. Return the goal state of the first part that has
    /// one.
    fn each_part(
        &self,
        work: &mut Work<'_, '_>,
        is_small: bool,
        each: &EachPart<'_, 'd>,
    ) -> Result<Option<Vec<u64>>, Halt> {
        let next = AtomicUsize::new(0);
        let goals = Mutex::new(Vec::new());
        let work_on_parts = |number: usize| -> Result<(), Halt> {
            let mut worker = lock(&self.workers[number]);
            let mut ticket = Ticket::new(self.shared);
            loop {
                let part = next.fetch_add(1, Ordering::Relaxed);
                if part >= self.n_parts {
                    return worker.flush();
                }
                if let Some(goal) = each(&mut worker, part, &mut ticket)? {
                    lock(&goals).push((part, goal));
                }
            }
        };
        let work_on_parts = |number| {
            let result = work_on_parts(number);
            if result.is_err() {
                self.shared.stop();
            }
            result
        };
        let watch = work.countdown.watch();
        let results = if is_small {
            vec![work_on_parts(0)]
        } else {
            self.all(watch, &work_on_parts)
        };
        let mut reasons = Vec::new();
        for result in results {
            match result {
                Ok(()) => {}
                Err(Halt::Limit(reason)) => reasons.push(reason),
                Err(error) => return Err(error),
            }
        }
        if !reasons.is_empty() {
            let reason = first_reason(self.shared, reasons.into_iter());
            return Err(reason.unwrap_or(StopReason::Interrupted).into());
        }
        watch.goes_on(self.shared.generated())?;
        let mut goals = goals.into_inner().unwrap_or_else(PoisonError::into_inner);
        goals.sort_unstable();
        Ok(goals.into_iter().next().map(|(_, goal)| goal))
    }
}

impl Crew<'_, '_, '_, '_> {
    /// Have all workers work, each with its number, and report progress meanwhile.
    fn all(
        &self,
        watch: &mut Watch<'_, '_>,
        work: &(dyn Fn(usize) -> Result<(), Halt> + Sync),
    ) -> Vec<Result<(), Halt>> {
        std::thread::scope(|scope| {
            let (sender, ended) = mpsc::channel();
            for number in 0..self.workers.len() {
                let sender = sender.clone();
                scope.spawn(move || {
                    // The receiver waits for all.
                    sender.send(work(number)).ok();
                });
            }
            drop(sender);
            let mut results = Vec::with_capacity(self.workers.len());
            loop {
                match ended.recv_timeout(TICK) {
                    Ok(result) => results.push(result),
                    Err(mpsc::RecvTimeoutError::Timeout) => watch.report(self.shared.generated()),
                    Err(mpsc::RecvTimeoutError::Disconnected) => return results,
                }
            }
        })
    }
}

/// What a worker does with a part of a bucket, and the goal state that it finds.
type EachPart<'e, 'd> = dyn Fn(&mut Worker<'_, 'd, '_>, usize, &mut Ticket<'_>) -> Result<Option<Vec<u64>>, Halt>
    + Sync
    + 'e;
