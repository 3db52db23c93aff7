//! A search between two iterations: the work done, and the work expected.

use serde::{Deserialize, Serialize};

use super::confidence::Confidence;
use super::potential::Potential;
use crate::{SHARE_OF_COUNTING, SHARE_OF_UNSEEN, Steps};

/// The steps from which on a search is long: about a fifth of a second.
const STEPS_OF_LONG: Steps = 2e8;

/// The steps that most searches from many starts are expected to take: about a tenth of a second.
/// Half as many take twice as much, and so on: the work of random starts is spread over orders of
/// magnitude.
const STEPS_OF_MOST: Steps = 1e8;

/// The probability that a search continues after the next iteration: nothing is known about it.
const SECOND_ITERATION: f64 = 0.5;

/// The greatest factor by which the work of that iteration is expected to grow: with more, savings
/// would be expected of an iteration that may never come.
const SECOND_GROWTH: f64 = 4.0;

/// The most searches that share the price of counting: some are shorter than they seem.
const MOST_SHARING: f64 = 4.0;

/// The part of its expected savings that an analysis may take: the rest is a margin for forecasts
/// that are too high.
pub(super) const SHARE_OF_SAVING: f64 = 0.8;

/// The greatest factor by which the next iteration is expected to have more nodes than the last.
/// The first iterations of a search may grow by more, and don't go on to do so.
const MOST_GROWTH: f64 = 20.0;

/// A search between two iterations, as far as it decides about longer sequences.
#[derive(Clone, Debug)]
pub struct SearchForecast {
    /// The nodes of the last iteration; 0 if there is none.
    pub last_nodes: u64,
    /// Those of the one before it; 0 if there is none.
    pub nodes_before: u64,
    /// The least factor by which the work is expected to grow, where the last two iterations were
    /// searched with different machines; else 1.
    pub least_growth: f64,
    /// The nodes of all iterations so far.
    pub generated: f64,
    /// The steps of all analyses so far.
    pub invested: Steps,
    /// The approximate number of moves that the next bound allows.
    pub moves: f64,
    /// The steps of a node.
    pub steps_of_node: Steps,
    /// The number of searches like this one.
    pub n_starts: usize,
    /// The searches of earlier runs, which may come again.
    pub earlier: EarlierSearches,
    /// What longer sequences could prune around the start.
    pub potential: Potential,
    /// The part of it that analyses are expected to find.
    pub confidence: Confidence,
}

/// The searches of earlier runs since the last analysis was made. As many are expected to come, so
/// an analysis that pays for itself only over several runs is made in the end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EarlierSearches {
    /// Their steps.
    pub steps: Steps,
    /// The moves that the last bound of the longest one allowed.
    pub moves: f64,
    /// The steps that they took to count what could be gained.
    #[serde(default, rename = "looked")]
    pub counting: Steps,
}

impl EarlierSearches {
    /// Add a search.
    pub fn add(&mut self, search: &Self) {
        self.steps += search.steps;
        self.moves = self.moves.max(search.moves);
        self.counting += search.counting;
    }

    /// Return the work after which later runs should know of it. Counting is seldom, and its share
    /// must not be taken again.
    pub fn weight(&self) -> Steps {
        self.steps + self.counting / SHARE_OF_COUNTING
    }
}

impl SearchForecast {
    /// Return the moves to most nodes of the next iteration.
    pub(super) fn moves_made(&self) -> f64 {
        moves_made(self.moves, self.next_nodes(), &self.potential)
    }

    /// Return the factor by which the work grows from iteration to iteration.
    pub fn growth(&self) -> f64 {
        let growth = match self.nodes_before {
            0 => 1.0,
            before => self.last_nodes as f64 / before as f64,
        };
        growth.max(self.least_growth).clamp(1.0, MOST_GROWTH)
    }

    fn next_nodes(&self) -> f64 {
        self.last_nodes as f64 * self.growth()
    }

    /// Return the steps that the search may take to count what could be gained: a share of the work
    /// so far and of the next iteration, and what earlier runs left of their share.
    pub fn steps_for_counting(&self) -> Steps {
        let own = (self.generated + self.next_nodes()) * self.steps_of_node;
        let own = own * self.searches_sharing();
        let left = SHARE_OF_COUNTING * self.earlier.steps - self.earlier.counting;
        SHARE_OF_COUNTING * own + left.max(0.0) / self.n_starts.max(1) as f64
    }

    /// Return the steps of the next iteration, from all starts.
    fn steps_of_next(&self) -> Steps {
        self.steps_of(self.next_nodes())
    }

    /// Return the steps of the next iteration and of the one after it, which may not be needed.
    pub(super) fn steps_expected(&self) -> Steps {
        let growth = self.growth().min(SECOND_GROWTH);
        self.steps_of_next() * (1.0 + SECOND_ITERATION * growth)
    }

    /// Return the steps of `nodes` nodes from each start.
    fn steps_of(&self, nodes: f64) -> Steps {
        nodes * self.steps_of_node * self.searches_like_this()
    }

    /// Return how many of the searches are expected to take as much work as this one did.
    ///
    /// A search knows only itself. Starts of one game differ by orders of magnitude, so a search
    /// that has come far is one of few, and the hardest ones take much of the work of all.
    fn searches_like_this(&self) -> f64 {
        let generated = self.generated * self.steps_of_node;
        (self.n_starts as f64 / (1.0 + generated / STEPS_OF_MOST)).max(1.0)
    }

    /// Return how many searches share what this one counts, as far as that matters.
    pub fn searches_sharing(&self) -> f64 {
        self.searches_like_this().min(MOST_SHARING)
    }

    /// Return whether the search takes long enough to report its analyses.
    pub fn is_long(&self) -> bool {
        self.steps_of(self.generated) + self.steps_of_next() >= STEPS_OF_LONG
    }

    /// Return the steps of earlier runs, of the search so far, and of the next iteration.
    pub(super) fn steps_certain(&self) -> Steps {
        self.earlier.steps + self.steps_of(self.generated) + self.steps_of_next()
    }

    /// Return the steps that an analysis may take without a sign that it will help.
    pub fn affordable_unseen(&self) -> Steps {
        SHARE_OF_UNSEEN * self.steps_certain() - self.invested
    }
}

/// Return the moves to most nodes of an iteration. With a heuristic these are fewer than the bound
/// allows: as many as a tree without one has levels, if it has as many nodes.
pub fn moves_made(allowed: f64, nodes: f64, potential: &Potential) -> f64 {
    let levels = nodes.max(1.0).ln() / potential.growth().ln();
    allowed.min(levels)
}

/// Return the nodes of a search before which no analysis of some steps can be worth it.
pub(super) fn nodes_before(
    analysis: Steps,
    steps_of_node: Steps,
    n_starts: usize,
    earlier: &EarlierSearches,
) -> u64 {
    // The work done and the work ahead.
    let of_next = 1.0 + SECOND_ITERATION * SECOND_GROWTH;
    let of_node = steps_of_node * n_starts.max(1) as f64 * (1.0 + MOST_GROWTH * of_next);
    let needed = analysis / (SHARE_OF_UNSEEN + SHARE_OF_SAVING) - earlier.steps;
    (needed.max(0.0) / of_node) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn search(earlier: EarlierSearches) -> SearchForecast {
        SearchForecast {
            last_nodes: 1_000,
            nodes_before: 500,
            least_growth: 1.0,
            generated: 1_500.0,
            invested: 0.0,
            moves: 20.0,
            steps_of_node: 10.0,
            n_starts: 1,
            earlier,
            potential: Potential::default(),
            confidence: Confidence::default(),
        }
    }

    #[test]
    fn few_of_many_searches_take_as_much_as_a_long_one() {
        let after = |seconds: f64| SearchForecast {
            generated: seconds * 1e8,
            n_starts: 100,
            ..search(EarlierSearches::default())
        };
        assert!(after(0.001).searches_like_this() > 98.0);
        assert_eq!(after(0.1).searches_like_this(), 50.0);
        assert_eq!(after(1_000.0).searches_like_this(), 1.0);
    }

    #[test]
    fn the_searches_of_earlier_runs_are_added() {
        let mut earlier = EarlierSearches::default();
        for (steps, moves) in [(10_000.0, 7.0), (5_000.0, 3.0)] {
            earlier.add(&EarlierSearches {
                steps,
                moves,
                counting: 100.0,
            });
        }
        assert_eq!(
            (earlier.steps, earlier.moves, earlier.counting),
            (15_000.0, 7.0, 200.0)
        );
        let (alone, after) = (search(EarlierSearches::default()), search(earlier));
        assert_eq!(
            after.affordable_unseen(),
            alone.affordable_unseen() + SHARE_OF_UNSEEN * 15_000.0
        );
        // 3.5 % of 15,000, less 200.
        let more = after.steps_for_counting() - alone.steps_for_counting();
        assert!((more - 325.0).abs() < 1e-9, "{more}");
        let all_taken = SearchForecast {
            earlier: EarlierSearches {
                counting: 1e3,
                ..earlier
            },
            ..after.clone()
        };
        assert_eq!(all_taken.steps_for_counting(), alone.steps_for_counting());
        assert_eq!(after.steps_expected(), alone.steps_expected());
    }
}
