//! Trying a heuristic on some of the starts, to tell how long all of them will take.

use std::time::{Duration, Instant};

use heuristics::Combined;
use psvn_ir::State;
use search::Limits;

use crate::heuristic::Request;

/// The most starts that are tried.
const MOST_STARTS: usize = 16;

/// Searches from a start within limits. Whether that gave an answer.
pub(crate) type Trial<'a> = dyn Fn(&Combined, &State, Limits) -> bool + 'a;

/// How a try went.
#[derive(Clone, Copy, Debug)]
pub(super) struct Try {
    pub(super) solved: usize,
    pub(super) tried: usize,
    of: usize,
    pub(super) elapsed: Duration,
}

impl Try {
    /// How long the search from all starts will take, and more if not all were solved.
    pub(super) fn all(self) -> Duration {
        self.elapsed
            .mul_f64(self.of as f64 / self.tried.max(1) as f64)
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

/// Tries a heuristic on some of the starts, from the lowest estimate on. Each may take its part of the time that is left.
pub(super) fn try_starts(
    estimate: &Combined,
    request: &Request<'_>,
    time: Duration,
    nodes: Option<u64>,
    trial: &Trial<'_>,
) -> Try {
    let starts = spread(estimate, request.starts);
    let began = Instant::now();
    let mut solved = 0;
    for (number, start) in starts.iter().enumerate() {
        let left = time.saturating_sub(began.elapsed());
        let limits = Limits {
            nodes,
            time: Some(left.div_f64((starts.len() - number) as f64)),
            memory: None,
            interrupt: Some(request.interrupt.clone()),
        };
        solved += usize::from(trial(estimate, start, limits));
        if request.is_interrupted() {
            break;
        }
    }
    Try {
        solved,
        tried: starts.len(),
        of: request.starts.len(),
        elapsed: began.elapsed(),
    }
}
