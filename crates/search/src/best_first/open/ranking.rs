//! In which order open nodes come out: by their score, and nodes of the same score by a rule.

use crate::best_first::open::Rank;
use crate::heuristic::weight::Weight;

/// Which of the open nodes with the same score is expanded first, in best-first searches that go by
/// a score ([`Run::ties`](crate::Run::ties)).
///
/// It changes how many nodes a search expands, often by much, and never whether a solution is found
/// or how good A\* promises it to be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Ties {
    /// The one with the greatest path cost g; of those, the one put in last.
    ///
    /// In A\* it is the node with the least still to go by its estimate, so that the last layer of
    /// a search isn't expanded in its full width. This one takes the least memory.
    #[default]
    GreaterG,
    /// Last in, first out.
    Lifo,
    /// First in, first out.
    Fifo,
    /// Last in, first out, and the open list of "Algorithms in a Nutshell" (Heineman, Pollice &
    /// Selkow 2008), Example 7-8: a state stands in it as often as it was put in, and is expanded
    /// each time it is taken out.
    ///
    /// States are opened again when their score is less than when they were closed. The goal counts
    /// as closed, and the states of the open list are counted as often as they stand in it. So
    /// Table 7-2 and Figure 7-28 come out exactly. Every entry of the list takes 56 bytes or more.
    Nutshell,
}

/// What open nodes are scored by.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Score {
    /// g + w h.
    Weighted(Weight),
    /// h alone.
    Estimate,
}

impl Score {
    /// The score of a node, times the denominator of the weight.
    #[inline]
    pub(crate) fn of(self, g: u64, h: u64) -> u128 {
        match self {
            Score::Weighted(weight) => weight.total(g, h),
            Score::Estimate => u128::from(h),
        }
    }

    /// What progress reports of a score.
    #[inline]
    pub(crate) fn bound(self, score: u128) -> u64 {
        match self {
            Score::Weighted(weight) => weight.scaled_down(score),
            Score::Estimate => u64::try_from(score).unwrap_or(u64::MAX),
        }
    }

    /// Whether a state comes earlier when it is reached at less cost.
    pub(crate) fn counts_cost(self) -> bool {
        matches!(self, Score::Weighted(_))
    }
}

/// Makes the ranks of nodes as they are put into the open list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ranking {
    pub(crate) score: Score,
    ties: Ties,
    /// The nodes ranked so far.
    n_ranked: u64,
}

impl Ranking {
    pub(crate) fn new(score: Score, ties: Ties) -> Self {
        Self {
            score,
            ties,
            n_ranked: 0,
        }
    }

    /// The rank of the node that is put in next.
    #[inline]
    pub(crate) fn rank(&mut self, g: u64, h: u64) -> Rank {
        self.n_ranked += 1;
        Rank {
            f: self.score.of(g, h),
            g: match self.ties {
                Ties::GreaterG => g,
                Ties::Lifo | Ties::Nutshell => self.n_ranked,
                Ties::Fifo => u64::MAX - self.n_ranked,
            },
        }
    }
}
