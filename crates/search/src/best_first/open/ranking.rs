//! The order in which open nodes come out: by score, and ties by a rule.

use budget::Choice;

use crate::best_first::open::rank::Rank;
use crate::heuristic::weight::Weight;

/// Which open node comes first among those with the same score, in best-first searches by score
/// ([`Run::ties`](crate::Run::ties)).
///
/// The choice changes how many nodes a search expands, often by much, but not whether it finds a
/// solution, nor the quality that A\* guarantees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Ties {
    /// The one with the greatest path cost g; of those, the one put in last.
    ///
    /// In A\* this is the node with the least estimate, so the last layer of a search isn't
    /// expanded in full. This order takes the least memory.
    #[default]
    GreaterG,
    /// Last in, first out.
    Lifo,
    /// First in, first out.
    Fifo,
    /// Last in, first out, with the open list of "Algorithms in a Nutshell" (Heineman, Pollice &
    /// Selkow 2008), Example 7-8: the list has an entry for each time that a state was put in, and
    /// a state is expanded each time one of its entries is taken out.
    ///
    /// States are reopened when their score is less than when they were closed. The goal counts as
    /// closed, and a state in the open list counts once for each of its entries. This reproduces
    /// Table 7-2 and Figure 7-28 exactly. An entry takes 56 bytes or more.
    Nutshell,
}

impl Choice for Ties {
    const ALL: &'static [Self] = &[Self::GreaterG, Self::Lifo, Self::Fifo, Self::Nutshell];

    fn name(self) -> &'static str {
        match self {
            Self::Lifo => "lifo",
            Self::Fifo => "fifo",
            Self::Nutshell => "nutshell",
            Self::GreaterG => "greater-g",
        }
    }

    fn summary(self) -> &'static str {
        match self {
            Self::Lifo => "Last in, first out",
            Self::Fifo => "First in, first out",
            Self::Nutshell => {
                "Last in, first out, with states several times in the open list, as in the book"
            }
            Self::GreaterG => "The greatest path cost first",
        }
    }
}

/// The function that scores open nodes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Score {
    /// g + w h.
    Weighted(Weight),
    /// h alone.
    Estimate,
}

impl Score {
    /// Return the score of a node, times the denominator of the weight.
    #[inline]
    pub(crate) fn of(self, g: u64, h: u64) -> u128 {
        match self {
            Score::Weighted(weight) => weight.total(g, h),
            Score::Estimate => u128::from(h),
        }
    }

    /// Return the score as progress reports show it.
    #[inline]
    pub(crate) fn bound(self, score: u128) -> u64 {
        match self {
            Score::Weighted(weight) => weight.scaled_down(score),
            Score::Estimate => u64::try_from(score).unwrap_or(u64::MAX),
        }
    }

    /// Return whether no score exceeds the cost of a solution, given an admissible heuristic.
    pub(crate) fn is_admissible(self) -> bool {
        matches!(self, Score::Weighted(weight) if weight.numerator() <= weight.denominator())
    }

    /// Return whether reaching a state at less cost improves its score.
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

    /// Return the rank of the node that is put in next.
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
