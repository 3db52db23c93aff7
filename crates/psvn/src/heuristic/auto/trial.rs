//! Tries of a heuristic on some starts, to forecast the work for all of them.

use std::cell::Cell;
use std::time::{Duration, Instant};

use heuristics::Combined;
use psvn_ir::State;
use search::{Iteration, Limits, Outcome, Part, SolveReport, StopReason};

use super::forecast::{self, Forecast};
use super::transpositions::{BoundWithTable, SearchedBound, Transpositions};
use super::work::{Steps, of_node};
use crate::heuristic::Request;

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
pub(super) struct Findings {
    pub(super) found: Vec<Found>,
    pub(super) tried: Vec<TriedStart>,
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
}

/// The limits of a try.
pub(super) struct Effort<'a> {
    pub(super) request: &'a Request<'a>,
    pub(super) trial: &'a Trial<'a>,
    /// Whether searches begin with a transposition table, since one pays with another heuristic.
    pub(super) has_table: bool,
    /// The growth of searches so far: the first bounds of a start don't show their own.
    pub(super) usual: Forecast,
    /// The approximate work that it may do.
    pub(super) budget: Steps,
    /// Nothing is begun after this.
    pub(super) deadline: Option<Instant>,
}

/// The progress of the search from one start with one heuristic.
pub(super) struct Progress {
    start: State,
    /// The bounds that are finished.
    report: SolveReport,
    is_solved: bool,
    /// The last bounds that don't have the answer, as they are with the table, if one is used.
    bounds: Vec<Iteration>,
    transpositions: Transpositions,
    /// The steps of a node.
    each: Steps,
}

impl Progress {
    pub(super) fn start(&self) -> &State {
        &self.start
    }

    /// The work of the bounds from the next one until a bound of at least `cost`; 0 if it is
    /// solved.
    pub(super) fn work_until(&self, cost: u64, forecast: &Forecast) -> Steps {
        let next = self.report.next_bound;
        if self.is_solved {
            0.0
        } else {
            forecast::nodes_until(&self.bounds, next, cost, forecast) * self.each
        }
    }

    /// Whether it uses a transposition table.
    pub(super) fn has_table(&self) -> bool {
        self.transpositions.are_used()
    }
}

/// The work with one heuristic for each step with the other one, in the highest bounds that both
/// have finished; `None` where no start has such a bound.
pub(super) fn work_of_same_bounds(one: &[Progress], other: &[Progress]) -> Option<f64> {
    let mut sums = [0.0, 0.0];
    let mut compared = 0.0;
    for progress in one {
        let Some(same) = other.iter().find(|it| it.start == progress.start) else {
            continue;
        };
        let of_bound = |progress: &Progress, bound| {
            let mut bounds = progress.bounds.iter();
            let found = bounds.find(|it| it.bound == bound)?;
            Some(found.generated as f64)
        };
        let bounds = progress.bounds.iter().rev().map(|it| it.bound);
        let nodes = |bound| Some([of_bound(progress, bound)?, of_bound(same, bound)?]);
        if let Some([with, without]) = bounds.filter_map(nodes).next() {
            sums[0] += with * progress.each;
            sums[1] += without * same.each;
            compared += without;
        }
    }
    (compared >= LEAST_COMPARED).then(|| sums[0] / sums[1])
}

/// The results of tries with a heuristic.
#[derive(Clone, Copy, Debug)]
pub(super) struct Try {
    pub(super) solved: usize,
    pub(super) tried: usize,
    of: usize,
    /// The work of this try and those before it.
    pub(super) work: Steps,
    /// The work of this try.
    pub(super) new: Steps,
    /// The approximate work of the next bounds for all starts.
    pub(super) ahead: Steps,
    /// The factor by which nodes grow with each unit of cost, where the bounds show it.
    pub(super) growth: Option<f64>,
    /// Whether something other than its budget stopped it: a limit of the search, or the time.
    pub(super) was_limited: bool,
}

impl Try {
    /// The work of the search from all starts; a lower bound if not all were solved.
    pub(super) fn all(self) -> Steps {
        self.work * self.of as f64 / self.tried.max(1) as f64
    }

    /// The rest of that, as found answers are kept.
    pub(super) fn rest(self) -> Steps {
        self.all() - self.work
    }

    /// Whether that isn't only a lower bound.
    pub(super) fn is_complete(self) -> bool {
        self.solved == self.tried
    }

    /// Whether all work is done.
    pub(super) fn was_all(self) -> bool {
        self.is_complete() && self.tried == self.of
    }
}

/// The number of starts that are tried.
pub(super) fn tried_of(n_starts: usize) -> usize {
    n_starts.min(MOST_STARTS)
}

/// Some starts, spread evenly over the order of estimates.
fn spread<'s>(estimate: &Combined, starts: &'s [State]) -> Vec<&'s State> {
    let mut by_estimate: Vec<(u64, &State)> = starts
        .iter()
        .map(|start| (estimate.of_state(start), start))
        .collect();
    by_estimate.sort_by_key(|(said, _)| *said);
    let n = tried_of(by_estimate.len());
    // Each represents an equal part of the starts, and comes from its middle.
    (0..n)
        .map(|i| by_estimate[(2 * i + 1) * by_estimate.len() / (2 * n)].1)
        .collect()
}

/// Try a heuristic on some of the starts, from the lowest estimate on, or continue where the try
/// before it (`last`, with its `progress`) paused. Each start may use its part of the remaining
/// work. Answers are added, in place of those with another heuristic.
pub(super) fn try_starts(
    estimate: &Combined,
    effort: &Effort<'_>,
    last: Option<Try>,
    progress: &mut Vec<Progress>,
    findings: &mut Findings,
) -> Try {
    let starts = spread(estimate, effort.request.starts);
    let each = of_node(estimate);
    let mut done = Try {
        solved: 0,
        tried: starts.len(),
        of: effort.request.starts.len(),
        work: 0.0,
        new: 0.0,
        ahead: 0.0,
        growth: None,
        was_limited: false,
    };
    let mut logarithms = Vec::new();
    for (number, start) in starts.iter().enumerate() {
        let known = progress.iter().position(|it| it.start == **start);
        if let Some(known) = known.filter(|known| progress[*known].is_solved) {
            logarithms.extend(forecast::growth(&progress[known].bounds).map(f64::ln));
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
        let share = (effort.budget - done.new).max(0.0) / n_open.max(1) as f64;
        let mut walk = Walk {
            estimate,
            start,
            effort,
            each,
            transpositions: Transpositions::new(effort.table_bytes(estimate), effort.has_table),
            bounds: Vec::new(),
            allowed: share,
            made: 0.0,
            ahead: 0.0,
            generated: Cell::new(0),
            was_limited: false,
        };
        let paused = known.map(|known| {
            let before = progress.swap_remove(known);
            walk.transpositions = before.transpositions;
            walk.bounds = before.bounds;
            before.report
        });
        let (report, is_solved) = walk.go(paused);
        let bound = report.as_ref().and_then(|report| report.next_bound);
        let bound = bound.filter(|_| estimate.is_admissible());
        findings.note(start, walk.generated.get(), bound.unwrap_or(0));
        done.new += walk.made;
        done.ahead += walk.ahead;
        done.was_limited |= walk.was_limited;
        let Some(report) = report else {
            continue;
        };
        logarithms.extend(forecast::growth(&walk.bounds).map(f64::ln));
        if is_solved {
            done.solved += 1;
            if estimate.is_admissible() {
                findings.found.retain(|other| other.start != **start);
                findings.found.push(Found {
                    start: (*start).clone(),
                    report: report.clone(),
                    heuristic: estimate.to_string(),
                });
            }
        }
        progress.push(Progress {
            start: (*start).clone(),
            report,
            is_solved,
            bounds: walk.bounds,
            each: walk.transpositions.steps_of_node(each),
            transpositions: walk.transpositions,
        });
    }
    done.work = last.map_or(0.0, |last| last.work) + done.new;
    done.ahead *= done.of as f64 / done.tried.max(1) as f64;
    let n = logarithms.len();
    done.growth = (n > 0).then(|| (logarithms.into_iter().sum::<f64>() / n as f64).exp());
    done
}

impl Effort<'_> {
    /// The bytes that a transposition table may take beside the tables of a heuristic.
    fn table_bytes(&self, estimate: &Combined) -> Option<usize> {
        table_bytes(self.request.transpositions, estimate)
    }
}

/// The bytes of `memory` that the tables of a heuristic leave for a transposition table.
pub(crate) fn table_bytes(memory: Option<usize>, estimate: &Combined) -> Option<usize> {
    let taken = usize::try_from(estimate.n_bytes()).unwrap_or(usize::MAX);
    memory.and_then(|memory| memory.checked_sub(taken))
}

/// The search from one start, bound by bound.
struct Walk<'a> {
    estimate: &'a Combined,
    start: &'a State,
    effort: &'a Effort<'a>,
    /// The steps of a node without a transposition table.
    each: Steps,
    transpositions: Transpositions,
    /// The last bounds that don't have the answer, all with the table or all without.
    bounds: Vec<Iteration>,
    /// The approximate work that it may do.
    allowed: Steps,
    made: Steps,
    /// The approximate work of the next bound.
    ahead: Steps,
    /// The nodes of all bounds, finished or not.
    generated: Cell<u128>,
    was_limited: bool,
}

impl Walk<'_> {
    /// Continue after the finished bounds. Return those that are finished then, if any, and whether
    /// they have the answer.
    fn go(&mut self, paused: Option<SolveReport>) -> (Option<SolveReport>, bool) {
        let request = self.effort.request;
        let mut finished = paused;
        loop {
            let next = finished.as_ref().and_then(|report| report.next_bound);
            self.try_table(next);
            let each = self.transpositions.steps_of_node(self.each);
            let next_nodes = forecast::next_nodes(&self.bounds, next);
            self.ahead = forecast::nodes_until(&self.bounds, next, 0, &self.effort.usual) * each;
            if self.ahead > 0.0 && self.made + self.ahead > self.allowed * OVERRUN {
                return (finished, false);
            }
            let before = finished
                .as_ref()
                .map_or(0, |report| report.totals.generated);
            let of_request = request.limits.nodes.map(|nodes| {
                let before = u64::try_from(before).unwrap_or(u64::MAX);
                nodes.saturating_sub(before)
            });
            let of_try = ((self.allowed * AT_MOST - self.made) / each).max(0.0) as u64;
            let nodes = of_try.min(of_request.unwrap_or(u64::MAX));
            if request.is_interrupted() || self.left() == Some(Duration::ZERO) {
                self.was_limited = true;
                return (finished, false);
            }
            let last = finished
                .as_ref()
                .and_then(|report| report.iterations.last());
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
                return (finished, false);
            };
            let made = report.totals.generated as f64 * each;
            self.made += made;
            let is_paused = report.next_bound.is_some();
            if let (Outcome::Stopped(reason), false) = (&report.outcome, is_paused) {
                let by_try =
                    *reason == StopReason::Nodes && of_request.is_none_or(|it| it > of_try);
                self.was_limited = !by_try;
                self.ahead = self.ahead.max(made * UNFINISHED);
                return (finished, false);
            }
            if is_paused {
                self.bounds.extend(report.iterations.last());
            }
            if let Some(earlier) = finished.take() {
                report.elapsed += earlier.elapsed;
                report.preparation += earlier.preparation;
                report.put_before(earlier);
            }
            if !is_paused {
                self.ahead = 0.0;
                return (Some(report), true);
            }
            finished = Some(report);
        }
    }

    /// The time that is left, if it is limited.
    fn left(&self) -> Option<Duration> {
        let deadline = self.effort.deadline?;
        Some(deadline.saturating_duration_since(Instant::now()))
    }

    /// Search some bounds within a number of nodes.
    fn search(&self, part: Part, nodes: u64, table: Option<usize>) -> Option<SolveReport> {
        let report = (self.effort.trial)(SomeBounds {
            estimate: self.estimate,
            start: self.start,
            limits: Limits {
                // The table has a size of its own, and nothing else takes much.
                memory: None,
                ..self.effort.request.env.limits(&Limits {
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
        let search = |bound: BoundWithTable| {
            let report = self.search(bound.part(), bound.most_nodes, Some(bound.bytes))?;
            Some(SearchedBound::from(&report))
        };
        let tried = transpositions.try_table(&self.bounds, next, most, self.each, search);
        self.transpositions = transpositions;
        if let Some(tried) = tried {
            self.made += tried.work;
            if let Some(bounds) = tried.bounds {
                self.bounds = bounds;
            }
        }
    }
}
