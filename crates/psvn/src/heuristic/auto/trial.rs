//! Trying a heuristic on some of the starts, to learn how long all of them will take.

use std::time::{Duration, Instant};

use heuristics::Combined;
use psvn_ir::State;
use search::{Limits, Outcome, SolveReport};

use super::work::{Steps, of_node};
use crate::heuristic::Request;

/// The most starts that are tried.
const MOST_STARTS: usize = 16;

/// Searches from a start within limits, by one thread, so that what it counts doesn't depend on how
/// threads take turns.
pub type Trial<'a> = dyn Fn(&Combined, &State, Limits) -> Option<SolveReport> + 'a;

/// The answer for a start that was found while a heuristic was chosen.
pub struct Found {
    /// The start.
    pub start: State,
    /// What the search for it reports.
    pub report: SolveReport,
    /// The heuristic that it was found with.
    pub heuristic: String,
}

/// How a try went.
#[derive(Clone, Copy, Debug)]
pub(super) struct Try {
    pub(super) solved: usize,
    pub(super) tried: usize,
    of: usize,
    /// What was done.
    pub(super) work: Steps,
    /// What it was allowed to do.
    pub(super) budget: Steps,
}

impl Try {
    /// How much work the search from all starts is, and more if not all were solved.
    pub(super) fn all(self) -> Steps {
        self.work * self.of as f64 / self.tried.max(1) as f64
    }

    /// How much of that is left, as the answers that were found are kept.
    pub(super) fn rest(self) -> Steps {
        self.all() - self.work
    }

    /// Whether that isn't only a lower bound.
    pub(super) fn is_complete(self) -> bool {
        self.solved == self.tried
    }

    /// Whether there is nothing more to do than what was done.
    pub(super) fn was_all(self) -> bool {
        self.is_complete() && self.tried == self.of
    }
}

/// How many of a number of starts are tried.
pub(super) fn tried_of(n_starts: usize) -> usize {
    n_starts.min(MOST_STARTS)
}

/// Some starts of all kinds: spread evenly over those between the lowest and the highest estimate.
fn spread<'s>(estimate: &Combined, starts: &'s [State]) -> Vec<&'s State> {
    let mut by_estimate: Vec<(u64, &State)> = starts
        .iter()
        .map(|start| (estimate.of_state(start), start))
        .collect();
    by_estimate.sort_by_key(|(said, _)| *said);
    let n = tried_of(by_estimate.len());
    // Each stands for an equal part of the starts, and from its middle.
    (0..n)
        .map(|i| by_estimate[(2 * i + 1) * by_estimate.len() / (2 * n)].1)
        .collect()
}

/// Tries a heuristic on some of the starts, from the lowest estimate on. Each may do its part of
/// the work that is left. Nothing is begun after the `deadline`. What is found is added to the
/// answers, in the place of one with another heuristic.
pub(super) fn try_starts(
    estimate: &Combined,
    request: &Request<'_>,
    budget: Steps,
    deadline: Option<Instant>,
    trial: &Trial<'_>,
    found: &mut Vec<Found>,
) -> Try {
    let starts = spread(estimate, request.starts);
    let each = of_node(estimate);
    let mut done = Try {
        solved: 0,
        tried: starts.len(),
        of: request.starts.len(),
        work: 0.0,
        budget,
    };
    for (number, start) in starts.iter().enumerate() {
        let share = (budget - done.work).max(0.0) / (starts.len() - number) as f64;
        let nodes = (share / each) as u64;
        let left = deadline.map(|it| it.saturating_duration_since(Instant::now()));
        if request.is_interrupted() || left == Some(Duration::ZERO) {
            break;
        }
        let limits = Limits {
            nodes: Some(nodes.min(request.nodes.unwrap_or(u64::MAX))),
            time: left,
            memory: None,
            interrupt: Some(request.env.cancellation().clone()),
        };
        let Some(report) = trial(estimate, start, limits) else {
            continue;
        };
        done.work += report.totals.generated as f64 * each;
        if matches!(report.outcome, Outcome::Stopped(_)) {
            continue;
        }
        done.solved += 1;
        if estimate.is_admissible() {
            found.retain(|other| other.start != **start);
            found.push(Found {
                start: (*start).clone(),
                report,
                heuristic: estimate.to_string(),
            });
        }
    }
    done
}
