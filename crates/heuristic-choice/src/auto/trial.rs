//! Tries of a heuristic on some starts, to forecast the work for all of them.

use std::cell::Cell;
use std::time::{Duration, Instant};

use advisor::{Deepening, Growth, Iteration, Steps, Transpositions, WithTable};
use heuristics::Combined;
use psvn_ir::State;
use search::{Limits, Outcome, Part, SolveReport, StopReason};

use crate::Request;
use crate::auto::steps::steps_of_node;
use crate::iterations::{iterations_of, only, searched_with_table};

/// The most starts that are tried.
const MOST_STARTS: usize = 16;

/// A bound is begun only if it is expected to end within this many times the budget of a try.
const OVERRUN: f64 = 1.25;
/// A bound is stopped at this many times the budget of a try. The work within it is lost then.
const AT_MOST: f64 = 2.0;
/// Bounds with fewer nodes, over all starts, aren't compared.
const LEAST_COMPARED: f64 = 1000.0;
/// A stopped bound is taken to have at least this many times the nodes that were made.
const UNFINISHED: f64 = 1.5;

/// Searches some bounds from a start, by one thread, so that its counts don't depend on scheduling.
pub type Trial<'a> = dyn Fn(SomeBounds<'_>) -> Option<SolveReport> + 'a;

/// Some bounds of a search.
pub struct SomeBounds<'a> {
    /// The heuristic.
    pub estimate: &'a Combined,
    /// The start.
    pub start: &'a State,
    /// The limits.
    pub limits: Limits,
    /// The bounds.
    pub part: Part,
    /// The bytes of a transposition table, if there is one.
    pub table: Option<usize>,
}

/// The answer for a start that was found while a heuristic was chosen.
pub struct Found {
    /// The start.
    pub start: State,
    /// The report of its search.
    pub report: SolveReport,
    /// The heuristic that it was found with.
    pub heuristic: String,
}

/// What tries have shown about a start, whichever heuristic is taken in the end.
pub struct TriedStart {
    /// The start.
    pub start: State,
    /// What every solution costs at least.
    pub cost_at_least: u64,
    /// The nodes that were generated.
    pub generated: u128,
}

/// What tries have shown about all starts.
#[derive(Default)]
pub(crate) struct Findings {
    pub(crate) found: Vec<Found>,
    pub(crate) tried: Vec<TriedStart>,
}

impl Findings {
    /// Note the nodes of a try, and the bound that the search from its start has come to.
    fn note(&mut self, start: &State, generated: u128, bound: u64) {
        match self.tried.iter_mut().find(|it| it.start == *start) {
            Some(tried) => {
                tried.generated += generated;
                tried.cost_at_least = tried.cost_at_least.max(bound);
            }
            None => self.tried.push(TriedStart {
                start: start.clone(),
                cost_at_least: bound,
                generated,
            }),
        }
    }

    /// Keep an answer, in place of one with another heuristic.
    fn answer(&mut self, start: &State, report: &SolveReport, estimate: &Combined) {
        self.found.retain(|other| other.start != *start);
        self.found.push(Found {
            start: start.clone(),
            report: report.clone(),
            heuristic: estimate.to_string(),
        });
    }
}

/// The limits of a try.
pub(crate) struct TrialLimits<'a> {
    pub(crate) request: &'a Request<'a>,
    pub(crate) trial: &'a Trial<'a>,
    /// Whether searches begin with a transposition table, since one pays with another heuristic.
    pub(crate) has_table: bool,
    /// The growth of searches so far: the first bounds of a start don't show their own.
    pub(crate) usual: Growth,
    /// The approximate work that it may do.
    pub(crate) budget: Steps,
    /// Nothing is begun after this.
    pub(crate) deadline: Option<Instant>,
}

/// The progress of the search from one start with one heuristic.
pub(crate) struct Progress {
    start: State,
    /// The bounds that are finished.
    report: SolveReport,
    is_solved: bool,
    /// The last bounds that don't have the answer, as they are with the table, if one is used.
    finished: Vec<Iteration>,
    transpositions: Transpositions,
    /// The steps of a node.
    steps_of_node: Steps,
}

impl Progress {
    pub(crate) fn start(&self) -> &State {
        &self.start
    }

    /// The work of the bounds from the next one until a bound of at least `cost`; 0 if it is
    /// solved.
    pub(crate) fn work_until(&self, cost: u64, usual: Growth) -> Steps {
        let between = Deepening {
            finished: &self.finished,
            next: self.report.next_bound,
        };
        if self.is_solved {
            0.0
        } else {
            between.nodes_until(cost, usual) * self.steps_of_node
        }
    }

    /// Whether it uses a transposition table.
    pub(crate) fn has_table(&self) -> bool {
        self.transpositions.are_used()
    }
}

/// The work with one heuristic for each step with the other one, in the highest bounds that both
/// have finished; `None` where no start has such a bound.
pub(crate) fn work_of_same_bounds(one: &[Progress], other: &[Progress]) -> Option<f64> {
    let mut sums = [0.0, 0.0];
    let mut compared = 0.0;
    for progress in one {
        let Some(same) = other.iter().find(|it| it.start == progress.start) else {
            continue;
        };
        let of_bound = |progress: &Progress, bound| {
            let mut finished = progress.finished.iter();
            let found = finished.find(|it| it.bound == bound)?;
            Some(found.nodes as f64)
        };
        let bounds = progress.finished.iter().rev().map(|it| it.bound);
        let nodes = |bound| Some([of_bound(progress, bound)?, of_bound(same, bound)?]);
        if let Some([with, without]) = bounds.filter_map(nodes).next() {
            sums[0] += with * progress.steps_of_node;
            sums[1] += without * same.steps_of_node;
            compared += without;
        }
    }
    (compared >= LEAST_COMPARED).then(|| sums[0] / sums[1])
}

/// The results of tries with a heuristic.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Try {
    pub(crate) solved: usize,
    pub(crate) tried: usize,
    of: usize,
    /// The work of this try and those before it.
    pub(crate) work: Steps,
    /// The work of this try.
    pub(crate) new: Steps,
    /// The approximate work of the next bounds for all starts.
    pub(crate) ahead: Steps,
    /// The factor by which nodes grow with each unit of cost, where the bounds show it.
    pub(crate) growth: Option<Growth>,
    /// Whether something other than its budget stopped it: a limit of the search, or the time.
    pub(crate) was_limited: bool,
}

impl Try {
    /// The work of the search from all starts; a lower bound if not all were solved.
    pub(crate) fn all(self) -> Steps {
        self.work * self.of as f64 / self.tried.max(1) as f64
    }

    /// The rest of that, as found answers are kept.
    pub(crate) fn rest(self) -> Steps {
        self.all() - self.work
    }

    /// Whether that isn't only a lower bound.
    pub(crate) fn is_complete(self) -> bool {
        self.solved == self.tried
    }

    /// Whether all work is done.
    pub(crate) fn was_all(self) -> bool {
        self.is_complete() && self.tried == self.of
    }
}

/// The number of starts that are tried.
pub(crate) fn n_tried(n_starts: usize) -> usize {
    n_starts.min(MOST_STARTS)
}

/// Some starts, spread evenly over the order of estimates.
fn spread<'s>(estimate: &Combined, starts: &'s [State]) -> Vec<&'s State> {
    let mut by_estimate: Vec<(u64, &State)> = starts
        .iter()
        .map(|start| (estimate.of_state(start), start))
        .collect();
    by_estimate.sort_by_key(|(estimate, _)| *estimate);
    let n = n_tried(by_estimate.len());
    // Each represents an equal part of the starts, and comes from its middle.
    (0..n)
        .map(|i| by_estimate[(2 * i + 1) * by_estimate.len() / (2 * n)].1)
        .collect()
}

/// Try a heuristic on some of the starts, from the lowest estimate on, or continue where the try
/// before it (`last`, with its `progress`) paused. Each start may use its part of the remaining
/// work. Answers are added, in place of those with another heuristic.
pub(crate) fn try_starts(
    estimate: &Combined,
    within: &TrialLimits<'_>,
    last: Option<Try>,
    progress: &mut Vec<Progress>,
    findings: &mut Findings,
) -> Try {
    let starts = spread(estimate, within.request.starts);
    let mut done = Try {
        solved: 0,
        tried: starts.len(),
        of: within.request.starts.len(),
        work: 0.0,
        new: 0.0,
        ahead: 0.0,
        growth: None,
        was_limited: false,
    };
    let mut growths = Vec::new();
    for (number, start) in starts.iter().enumerate() {
        let known = progress.iter().position(|it| it.start == **start);
        if let Some(known) = known.filter(|known| progress[*known].is_solved) {
            growths.extend(Growth::measured(&progress[known].finished));
            done.solved += 1;
            continue;
        }
        // Solved starts need nothing. If they had a share, a budget for the next bounds could be
        // too small for each of the others, and no further try would change that.
        let is_open = |start: &&&State| {
            let mut solved = progress.iter().filter(|it| it.is_solved);
            !solved.any(|it| it.start == ***start)
        };
        let n_open = starts[number..].iter().filter(is_open).count();
        let share = (within.budget - done.new).max(0.0) / n_open.max(1) as f64;
        let paused = known.map(|known| progress.swap_remove(known));
        let mut walk = Walk::new(estimate, start, within, share);
        let (report, is_solved) = walk.resume(paused);
        let bound = report.as_ref().and_then(|report| report.next_bound);
        let bound = bound.filter(|_| estimate.is_admissible());
        findings.note(start, walk.generated.get(), bound.unwrap_or(0));
        done.new += walk.made;
        done.ahead += walk.ahead;
        done.was_limited |= walk.was_limited;
        let Some(report) = report else {
            continue;
        };
        growths.extend(Growth::measured(&walk.finished));
        if is_solved {
            done.solved += 1;
            if estimate.is_admissible() {
                findings.answer(start, &report, estimate);
            }
        }
        progress.push(walk.into_progress(report, is_solved));
    }
    done.work = last.map_or(0.0, |last| last.work) + done.new;
    done.ahead *= done.of as f64 / done.tried.max(1) as f64;
    done.growth = Growth::mean(&growths);
    done
}

/// Return the bytes of `memory` that the tables of a heuristic leave for a transposition table.
pub fn table_bytes(memory: Option<usize>, estimate: &Combined) -> Option<usize> {
    let taken = usize::try_from(estimate.n_bytes()).unwrap_or(usize::MAX);
    memory.and_then(|memory| memory.checked_sub(taken))
}

/// The search from one start, bound by bound.
struct Walk<'a> {
    estimate: &'a Combined,
    start: &'a State,
    within: &'a TrialLimits<'a>,
    transpositions: Transpositions,
    /// The last bounds that don't have the answer, all with the table or all without.
    finished: Vec<Iteration>,
    /// The approximate work that it may do.
    allowed: Steps,
    made: Steps,
    /// The approximate work of the next bound.
    ahead: Steps,
    /// The nodes of all bounds, finished or not.
    generated: Cell<u128>,
    was_limited: bool,
}

impl<'a> Walk<'a> {
    fn new(
        estimate: &'a Combined,
        start: &'a State,
        within: &'a TrialLimits<'a>,
        allowed: Steps,
    ) -> Self {
        let bytes = table_bytes(within.request.transpositions, estimate);
        Self {
            estimate,
            start,
            within,
            transpositions: Transpositions::new(bytes, within.has_table),
            finished: Vec::new(),
            allowed,
            made: 0.0,
            ahead: 0.0,
            generated: Cell::new(0),
            was_limited: false,
        }
    }

    /// Continue where a search paused, if there was one. Return the bounds that are finished then,
    /// if any, and whether they have the answer.
    fn resume(&mut self, paused: Option<Progress>) -> (Option<SolveReport>, bool) {
        let mut report = None;
        if let Some(paused) = paused {
            self.transpositions = paused.transpositions;
            self.finished = paused.finished;
            report = Some(paused.report);
        }
        let is_solved = loop {
            match self.next_bound(&mut report) {
                NextBound::Finished => {}
                NextBound::Solved => break true,
                NextBound::Paused => break false,
            }
        };
        (report, is_solved)
    }

    fn into_progress(self, report: SolveReport, is_solved: bool) -> Progress {
        Progress {
            start: self.start.clone(),
            report,
            is_solved,
            finished: self.finished,
            steps_of_node: self
                .transpositions
                .steps_of_node(steps_of_node(self.estimate)),
            transpositions: self.transpositions,
        }
    }

    /// Search the next bound, if that is within the budget, and add it to the report of those
    /// before it.
    fn next_bound(&mut self, before: &mut Option<SolveReport>) -> NextBound {
        let request = self.within.request;
        let next = before.as_ref().and_then(|report| report.next_bound);
        self.try_table(next);
        let each = self
            .transpositions
            .steps_of_node(steps_of_node(self.estimate));
        let between = Deepening {
            finished: &self.finished,
            next,
        };
        let next_nodes = between.next_nodes();
        self.ahead = between.nodes_until(0, self.within.usual) * each;
        if self.ahead > 0.0 && self.made + self.ahead > self.allowed * OVERRUN {
            return NextBound::Paused;
        }
        let generated = before.as_ref().map_or(0, |report| report.totals.generated);
        let of_request = request.limits.nodes.map(|nodes| {
            let generated = u64::try_from(generated).unwrap_or(u64::MAX);
            nodes.saturating_sub(generated)
        });
        let of_try = ((self.allowed * AT_MOST - self.made) / each).max(0.0) as u64;
        let nodes = of_try.min(of_request.unwrap_or(u64::MAX));
        if request.is_interrupted() || self.left() == Some(Duration::ZERO) {
            self.was_limited = true;
            return NextBound::Paused;
        }
        let last = before.as_ref().and_then(|report| report.iterations.last());
        let part = Part {
            first_bound: next.unwrap_or(0),
            last_generated: last.map_or(0, |last| last.generated),
            pause_above: 0,
        };
        // The first bounds are small.
        let table = self.transpositions.table_for(next_nodes.max(1.0));
        let table = table.map(|(bytes, _)| bytes);
        let Some(mut report) = self.search(part, nodes, table) else {
            self.was_limited = true;
            return NextBound::Paused;
        };
        let made = report.totals.generated as f64 * each;
        self.made += made;
        let is_paused = report.next_bound.is_some();
        if let (Outcome::Stopped(reason), false) = (&report.outcome, is_paused) {
            let by_try = *reason == StopReason::Nodes && of_request.is_none_or(|it| it > of_try);
            self.was_limited = !by_try;
            self.ahead = self.ahead.max(made * UNFINISHED);
            return NextBound::Paused;
        }
        if is_paused {
            self.finished
                .extend(iterations_of(&report.iterations).last());
        } else {
            self.ahead = 0.0;
        }
        if let Some(earlier) = before.take() {
            report.elapsed += earlier.elapsed;
            report.preparation += earlier.preparation;
            report.put_before(earlier);
        }
        *before = Some(report);
        if is_paused {
            NextBound::Finished
        } else {
            NextBound::Solved
        }
    }

    /// The time that is left, if it is limited.
    fn left(&self) -> Option<Duration> {
        let deadline = self.within.deadline?;
        Some(deadline.saturating_duration_since(Instant::now()))
    }

    /// Search some bounds within a number of nodes.
    fn search(&self, part: Part, nodes: u64, table: Option<usize>) -> Option<SolveReport> {
        let report = (self.within.trial)(SomeBounds {
            estimate: self.estimate,
            start: self.start,
            limits: Limits {
                // The table has a size of its own, and nothing else takes much.
                memory: None,
                ..self.within.request.host.limits(&Limits {
                    nodes: Some(nodes),
                    time: self.left(),
                    ..Limits::default()
                })
            },
            part,
            table,
        })?;
        self.generated
            .set(self.generated.get() + report.totals.generated);
        Some(report)
    }

    /// Decide whether a transposition table pays, if it is time for that.
    fn try_table(&mut self, next: Option<u64>) {
        let most = self.allowed - self.made;
        let mut transpositions = self.transpositions.clone();
        let between = Deepening {
            finished: &self.finished,
            next,
        };
        let search = |with: WithTable| {
            let report = self.search(only(&with), with.most_nodes, Some(with.bytes))?;
            Some(searched_with_table(&report))
        };
        let steps = steps_of_node(self.estimate);
        let tried = transpositions.try_table(between, most, steps, search);
        self.transpositions = transpositions;
        if let Some(tried) = tried {
            self.made += tried.work;
            if let Some(finished) = tried.finished {
                self.finished = finished;
            }
        }
    }
}

/// The result of searching the next bound.
enum NextBound {
    /// It doesn't have the answer.
    Finished,
    /// It has the answer.
    Solved,
    /// It wasn't begun, or not finished.
    Paused,
}
