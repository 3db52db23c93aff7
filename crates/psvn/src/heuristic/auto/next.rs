//! The next action of a choice: which tables are built next, if any pay.

use super::growing::{Growing, Place, open, unknown};
use super::transpositions::OF_TABLE;
use super::trial::Progress;
use super::work::Steps;
use super::{Choice, MARGIN};

/// The part of the search's work that building may take, where a try has shown how much that is.
const BUILD_SHARE: f64 = 0.5;
/// The part of the next bound's work that building may take, and the most for each step so far. An
/// answer may be found early in the bound, so a larger part may be taken only of less.
const SHARES_OF_NEXT: [(f64, f64); 2] = [(0.1, 3.0), (0.5, 1.5)];

/// The rest of the search's work with the best heuristic.
#[derive(Clone, Copy)]
pub(super) struct Rest {
    pub(super) steps: Steps,
    /// Whether a try has shown that.
    pub(super) is_known: bool,
}

/// The next action.
pub(super) enum Next {
    /// Build these tables.
    Build(Place),
    /// Look up duals in the best table.
    Duals,
    /// Continue to search with the best heuristic, as nothing pays; the cheapest tables take this
    /// much work to build.
    Search(Steps),
    /// Nothing more can be built.
    Nothing,
}

impl Choice<'_> {
    /// The rest of the search's work with the best heuristic. Without an answer, it is taken to be
    /// at least the work so far and the rest of the current bound.
    pub(super) fn rest(&self) -> Rest {
        match self.best.tried {
            Some(tried) if tried.is_complete() => Rest {
                steps: tried.rest(),
                is_known: true,
            },
            Some(tried) => Rest {
                steps: self
                    .spent
                    .max(tried.all())
                    .max(tried.ahead)
                    .max(self.least_ahead())
                    .min(self.most()),
                is_known: false,
            },
            None => Rest {
                steps: self.best.expected,
                is_known: false,
            },
        }
    }

    /// The work of the search with the best heuristic until its bounds are what solutions cost at
    /// least, by the growth of its bounds so far.
    pub(super) fn least_ahead(&self) -> Steps {
        let work = |progress: &Progress| {
            progress.work_until(self.scale.least_cost(progress.start()), &self.forecast)
        };
        let best = &self.best;
        let work: Steps = best.progress.iter().map(work).sum();
        let tried = best.tried.map_or(1, |tried| tried.tried).max(1);
        work * self.request.starts.len() as f64 / tried as f64
    }

    /// The most work that the limits allow the search with the best heuristic.
    pub(super) fn most(&self) -> Steps {
        let nodes = self
            .request
            .limits
            .nodes
            .map_or(f64::INFINITY, |nodes| nodes as f64);
        nodes * self.request.starts.len() as f64 * self.steps_of(self.best.of_node)
    }

    /// The next action, where `rest` is the search's remaining work with the best heuristic.
    pub(super) fn next(&self, growing: &[Growing], rest: Rest) -> Next {
        let spent = self.spent.max(self.first_try);
        let affordable = if rest.is_known {
            rest.steps * BUILD_SHARE
        } else {
            // A bound that takes far longer must be searched in any case.

            let ahead = self.best.tried.map_or(0.0, |it| it.ahead);
            let shares = SHARES_OF_NEXT.iter();
            let shares = shares.map(|(share, most)| (ahead * share).min(spent * most));
            shares.fold(spent, f64::max)
        };
        if let Some(place) = unknown(growing, affordable.min(spent)) {
            return Next::Build(place);
        }
        let work = |(number, candidate): Place| growing[number].work(candidate);
        let with_duals = self.total_with_duals(rest, affordable);
        let with_duals = with_duals.filter(|total| *total < rest.steps);
        let open = open(growing).filter(|place| self.fits(growing, *place));
        let open: Vec<Place> = open.collect();
        let Some(least) = open.iter().map(|place| work(*place)).min_by(f64::total_cmp) else {
            return match (with_duals, self.useful_duals()) {
                (Some(_), _) => Next::Duals,
                (None, Some(duals)) => Next::Search(duals.work),
                (None, None) => Next::Nothing,
            };
        };
        let total = |place: Place| {
            let (number, candidate) = place;
            let expected = growing[number].expected(candidate, &self.forecast);
            // An unknown family is expected to be no better than the best one.
            let (score, of_node) = expected.unwrap_or((self.best.score, self.best.of_node));
            work(place) + rest.steps * self.ratio(score, of_node)
        };
        let affordable = open.iter().filter(|place| work(**place) <= affordable);
        let totals = affordable.map(|place| (*place, total(*place)));
        let best = totals.min_by(|one, other| one.1.total_cmp(&other.1));
        match (best, with_duals) {
            (Some((_, total)), Some(with_duals)) if with_duals < total => Next::Duals,
            (Some((place, total)), _) if total < rest.steps => Next::Build(place),
            (_, Some(_)) => Next::Duals,
            _ => Next::Search(self.useful_duals().map_or(least, |it| least.min(it.work))),
        }
    }

    /// The tables with which the search comes furthest in the time that is left, where building
    /// them takes some of it. `None` if it comes as far with the best ones so far, or time isn't
    /// limited.
    pub(super) fn furthest(&self, growing: &[Growing]) -> Option<Place> {
        let left = self.left()?.as_secs_f64();
        let reach = |(number, candidate): Place| {
            let (score, of_node) = growing[number].expected(candidate, &self.forecast)?;
            let work = growing[number].work(candidate);
            let after = left - work * self.seconds_per_step * MARGIN;
            Some(after / self.ratio(score, of_node))
        };
        let fitting = open(growing).filter(|place| self.fits(growing, *place));
        let reached = fitting.filter_map(|place| Some((place, reach(place)?)));
        let further = reached.filter(|(_, reach)| *reach > left);
        let furthest = further.max_by(|one, other| one.1.total_cmp(&other.1));
        furthest.map(|(place, _)| place)
    }

    /// Whether a candidate fits the memory beside the best tables, which are there until it is
    /// built.
    pub(super) fn fits(&self, growing: &[Growing], (number, candidate): Place) -> bool {
        let taken = u128::from(self.best.estimate.n_bytes());
        let candidate = &growing[number].family.candidates[candidate];
        candidate.peak_bytes() + taken <= self.request.memory() as u128
    }

    /// The steps of a search with an estimate of this mean, for each step of the search with the
    /// best one.
    pub(super) fn ratio(&self, score: f64, of_node: Steps) -> f64 {
        let steps = self.steps_of(of_node) / self.steps_of(self.best.of_node);
        self.forecast.nodes(self.best.score, score) * steps
    }

    /// The steps of a node, with the transposition table if one is used.
    fn steps_of(&self, of_node: Steps) -> Steps {
        if self.has_table {
            of_node + OF_TABLE
        } else {
            of_node
        }
    }
}
