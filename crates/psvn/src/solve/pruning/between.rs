//! A search between two bounds: the work done, and the work expected.

use serde::{Deserialize, Serialize};

use super::prospect::Prospect;

/// The steps of a search of about a fifth of a second. Shorter searches don't report their
/// analyses.
const STEPS_TO_TELL: f64 = 2e8;

/// The steps that most searches from many starts are expected to take: about a tenth of a second.
/// Half as many take twice as much, and so on.
const STEPS_OF_MOST: f64 = 1e8;

/// The rough probability that a search continues after the next bound.
const SECOND_BOUND: f64 = 0.5;

/// The greatest factor by which the work of that bound is expected to grow.
const SECOND_GROWTH: f64 = 4.0;

/// The part of the search's work, the next bound included, that analyses may take without evidence
/// that they help.
const SHARE: f64 = 0.1;

/// The part of a search's work, the next bound included, that it may take to count what could be
/// gained.
const SHARE_OF_PROSPECT: f64 = 0.035;

/// The most searches that look together: some of them are shorter than they seem.
const MOST_LOOKERS: f64 = 4.0;

/// The part of its expected savings that an analysis may take.
pub(super) const SHARE_OF_SAVING: f64 = 0.8;

/// The greatest factor by which the next bound is expected to have more nodes than the last.
const MOST_GROWTH: f64 = 20.0;

/// A search between two bounds.
#[derive(Clone, Debug)]
pub(in crate::solve) struct Between {
    /// The nodes of the last bound, and of the one before it; 0 if there is none.
    pub(in crate::solve) last: u64,
    pub(in crate::solve) before: u64,
    /// The least factor by which the work is expected to grow, where the last two bounds were
    /// searched with different machines; else 1.
    pub(in crate::solve) least_growth: f64,
    /// The nodes of all bounds so far.
    pub(in crate::solve) done: f64,
    /// The steps of all analyses so far.
    pub(in crate::solve) spent: f64,
    /// The approximate number of moves that the next bound allows.
    pub(in crate::solve) moves: f64,
    /// The steps of a node.
    pub(in crate::solve) steps_of_node: f64,
    /// The number of searches like this one.
    pub(in crate::solve) n_starts: usize,
    /// The searches of earlier runs, which may come again.
    pub(in crate::solve) past: Past,
    /// The prospect of longer sequences around the start.
    pub(in crate::solve) prospect: Prospect,
    pub(in crate::solve) trust: Trust,
}

/// The searches of earlier runs since the last analysis was made. As many are expected to come, so
/// an analysis that pays for itself only over several runs is made in the end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(in crate::solve) struct Past {
    /// Their steps.
    pub(in crate::solve) steps: f64,
    /// The moves that the last bound of the longest one allowed.
    pub(in crate::solve) moves: f64,
    /// The steps that they took to count what could be gained.
    #[serde(default)]
    pub(in crate::solve) looked: f64,
}

impl Past {
    /// Add a search.
    pub(in crate::solve) fn add(&mut self, search: &Self) {
        self.steps += search.steps;
        self.moves = self.moves.max(search.moves);
        self.looked += search.looked;
    }

    /// Return the work after which the cache should know of it. Counting is seldom, and its share
    /// must not be taken again.
    pub(super) fn weight(&self) -> f64 {
        self.steps + self.looked / SHARE_OF_PROSPECT
    }
}

/// The part of the possible gain that analyses are expected to find, from 0 to 1.
#[derive(Clone, Copy, Debug)]
pub(in crate::solve) struct Trust {
    /// By longer sequences.
    pub(super) longer: f64,
    /// By splits.
    pub(super) splits: f64,
}

impl Trust {
    /// The trust before the first analysis.
    pub(in crate::solve) const FIRST: Self = Self {
        longer: 0.8,
        splits: 0.5,
    };

    /// The trust that remains after an analysis that gained nothing.
    pub(super) const LEAST: f64 = 0.1;
}

impl Between {
    /// Return the moves to most nodes of the next bound.
    pub(super) fn moves_made(&self) -> f64 {
        moves_made(self.moves, self.last as f64 * self.growth(), &self.prospect)
    }

    /// Return the factor by which the work grows from bound to bound.
    pub(in crate::solve) fn growth(&self) -> f64 {
        let growth = match self.before {
            0 => 1.0,
            before => self.last as f64 / before as f64,
        };
        growth.max(self.least_growth).clamp(1.0, MOST_GROWTH)
    }

    /// Return the steps that the search may take to count what could be gained: a share of the work
    /// so far and of the next bound, and what earlier runs left of their share.
    pub(in crate::solve) fn steps_to_look(&self) -> f64 {
        let own = (self.done + self.last as f64 * self.growth()) * self.steps_of_node;
        let own = own * self.lookers();
        let left = SHARE_OF_PROSPECT * self.past.steps - self.past.looked;
        SHARE_OF_PROSPECT * own + left.max(0.0) / self.n_starts.max(1) as f64
    }

    /// Return the steps of the next bound, from all starts.
    fn steps_ahead(&self) -> f64 {
        self.steps_of(self.last as f64 * self.growth())
    }

    /// Return the steps of the next bound and of the one after it, which may not be needed.
    pub(super) fn steps_expected(&self) -> f64 {
        self.steps_ahead() * (1.0 + SECOND_BOUND * self.growth().min(SECOND_GROWTH))
    }

    /// Return the steps of `nodes` nodes from each start.
    fn steps_of(&self, nodes: f64) -> f64 {
        nodes * self.steps_of_node * self.searches_like_this()
    }

    /// Return how many of the searches are expected to take as much work as this one did.
    ///
    /// A search knows only itself. Starts of one game differ by orders of magnitude, so a search
    /// that has come far is one of few, and the hardest ones take much of the work of all.
    fn searches_like_this(&self) -> f64 {
        let done = self.done * self.steps_of_node;
        (self.n_starts as f64 / (1.0 + done / STEPS_OF_MOST)).max(1.0)
    }

    /// Return how many searches share what this one finds when it looks, as far as that counts.
    pub(in crate::solve) fn lookers(&self) -> f64 {
        self.searches_like_this().min(MOST_LOOKERS)
    }

    /// Return whether the search takes long enough to report its analyses.
    pub(in crate::solve) fn is_worth_a_word(&self) -> bool {
        self.steps_of(self.done) + self.steps_ahead() >= STEPS_TO_TELL
    }

    /// Return the steps of earlier runs, of the search so far, and of the next bound.
    pub(super) fn steps_certain(&self) -> f64 {
        self.past.steps + self.steps_of(self.done) + self.steps_ahead()
    }

    /// Return the steps that an analysis may take without a sign that it will help.
    pub(super) fn affordable(&self) -> f64 {
        SHARE * self.steps_certain() - self.spent
    }
}

/// Return the moves to most nodes of a bound. With a heuristic these are fewer than the bound
/// allows: as many as a tree without one has levels, if it has as many nodes.
pub(in crate::solve) fn moves_made(allowed: f64, nodes: f64, prospect: &Prospect) -> f64 {
    let levels = nodes.max(1.0).ln() / prospect.growth().ln();
    allowed.min(levels)
}

/// Return the nodes of a search before which no analysis of some steps can be worth it.
pub(super) fn nodes_before(analysis: f64, steps_of_node: f64, n_starts: usize, past: &Past) -> u64 {
    // The work done and the work ahead.
    let of_next = 1.0 + SECOND_BOUND * SECOND_GROWTH;
    let of_node = steps_of_node * n_starts.max(1) as f64 * (1.0 + MOST_GROWTH * of_next);
    let needed = analysis / (SHARE + SHARE_OF_SAVING) - past.steps;
    (needed.max(0.0) / of_node) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn search(past: Past) -> Between {
        Between {
            last: 1_000,
            before: 500,
            least_growth: 1.0,
            done: 1_500.0,
            spent: 0.0,
            moves: 20.0,
            steps_of_node: 10.0,
            n_starts: 1,
            past,
            prospect: Prospect::default(),
            trust: Trust::FIRST,
        }
    }

    #[test]
    fn few_of_many_searches_take_as_much_as_a_long_one() {
        let after = |seconds: f64| Between {
            done: seconds * 1e8,
            n_starts: 100,
            ..search(Past::default())
        };
        assert!(after(0.001).searches_like_this() > 98.0);
        assert_eq!(after(0.1).searches_like_this(), 50.0);
        assert_eq!(after(1_000.0).searches_like_this(), 1.0);
    }

    #[test]
    fn the_searches_of_earlier_runs_are_added() {
        let mut past = Past::default();
        for (steps, moves) in [(10_000.0, 7.0), (5_000.0, 3.0)] {
            past.add(&Past {
                steps,
                moves,
                looked: 100.0,
            });
        }
        assert_eq!(
            (past.steps, past.moves, past.looked),
            (15_000.0, 7.0, 200.0)
        );
        let (alone, after) = (search(Past::default()), search(past));
        assert_eq!(after.affordable(), alone.affordable() + SHARE * 15_000.0);
        // 3.5 % of 15,000, less 200.
        let more = after.steps_to_look() - alone.steps_to_look();
        assert!((more - 325.0).abs() < 1e-9, "{more}");
        let all_taken = Between {
            past: Past {
                looked: 1e3,
                ..past
            },
            ..after.clone()
        };
        assert_eq!(all_taken.steps_to_look(), alone.steps_to_look());
        assert_eq!(after.steps_expected(), alone.steps_expected());
    }
}
