//! The search algorithms and their properties.

use std::str::FromStr;

use super::Choice;

/// A search algorithm, with its guarantee for the solution that it finds. Guarantees on costs need
/// an admissible heuristic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Algorithm {
    /// A* as long as there is memory for it, then IDA* from the bound that A* has proved: the least
    /// cost.
    Auto,
    /// Depth-first search to a depth.
    Dfs,
    /// Depth-first iterative deepening: the fewest moves.
    Dfid,
    /// IDA* (Korf 1985): the least cost.
    Ida,
    /// WIDA* (Korf 1993): at most the weight times the least cost.
    Wida,
    /// IDA* with controlled re-expansion, IDA*_CR (Sarkar et al. 1991): the least cost.
    IdaCr,
    /// Budgeted tree search, BTS (Helmert et al. 2019): the least cost.
    Budgeted,
    /// Depth-first branch and bound: the least cost.
    BranchAndBound,
    /// IDA* with a transposition table (Reinefeld & Marsland 1994): the least cost.
    IdaTable,
    /// Breadth-first search: the fewest moves.
    Bfs,
    /// Uniform-cost search: the least cost.
    UniformCost,
    /// A* (Hart, Nilsson & Raphael 1968): the least cost.
    AStar,
    /// SMA* (Russell 1992), A* that forgets what looks worst when the memory is used up: the least
    /// cost.
    Sma,
    /// Weighted A*: at most the weight times the least cost.
    WeightedAStar,
    /// Restarting weighted A* (Richter, Thayer & Ruml 2010): solutions of ever lower cost, down to
    /// the least.
    Anytime,
    /// Greedy best-first search: any solution.
    Greedy,
    /// Beam search: any solution, in memory and time that the width bounds.
    Beam,
    /// Depth-first search with a closed set, to a depth.
    DfsClosed,
    /// Bidirectional uniform-cost search: the least cost.
    Bidirectional,
    /// BAE* (Sadhukhan 2013), a search from both ends by two consistent heuristics: the least cost.
    BaeStar,
    /// NBS (Chen, Holte, Zilles & Sturtevant 2017), a search from both ends by pairs of nodes: the
    /// least cost.
    Nbs,
}

impl Algorithm {
    /// All algorithms, with the names by which they are chosen.
    const ALL: [(&'static str, Algorithm); 21] = [
        ("auto", Algorithm::Auto),
        ("dfs", Algorithm::Dfs),
        ("dfid", Algorithm::Dfid),
        ("ida", Algorithm::Ida),
        ("wida", Algorithm::Wida),
        ("ida-cr", Algorithm::IdaCr),
        ("bts", Algorithm::Budgeted),
        ("dfbnb", Algorithm::BranchAndBound),
        ("ida-table", Algorithm::IdaTable),
        ("bfs", Algorithm::Bfs),
        ("ucs", Algorithm::UniformCost),
        ("astar", Algorithm::AStar),
        ("sma", Algorithm::Sma),
        ("wastar", Algorithm::WeightedAStar),
        ("anytime", Algorithm::Anytime),
        ("greedy", Algorithm::Greedy),
        ("beam", Algorithm::Beam),
        ("dfs-closed", Algorithm::DfsClosed),
        ("bidirectional", Algorithm::Bidirectional),
        ("bae", Algorithm::BaeStar),
        ("nbs", Algorithm::Nbs),
    ];

    /// Return the names by which algorithms are chosen.
    pub fn names() -> impl Iterator<Item = (&'static str, Algorithm)> {
        Self::ALL.into_iter()
    }

    /// Return the name by which it is chosen.
    ///
    /// # Panics
    /// Never, as all of them have names.
    pub fn code(self) -> &'static str {
        let mut all = Self::ALL.into_iter();
        let named = all.find(|(_, algorithm)| *algorithm == self);
        named.expect("all algorithms have names").0
    }

    /// Its name in texts for people.
    pub fn name(self) -> &'static str {
        match self {
            Algorithm::Auto => "A*, then IDA*",
            Algorithm::Dfs => "depth-first search",
            Algorithm::Dfid => "depth-first iterative deepening",
            Algorithm::Ida => "IDA*",
            Algorithm::Wida => "WIDA*",
            Algorithm::IdaCr => "IDA* with controlled bounds",
            Algorithm::Budgeted => "budgeted tree search",
            Algorithm::BranchAndBound => "depth-first branch and bound",
            Algorithm::IdaTable => "IDA* with a transposition table",
            Algorithm::Bfs => "breadth-first search",
            Algorithm::UniformCost => "uniform-cost search",
            Algorithm::AStar => "A*",
            Algorithm::Sma => "SMA*",
            Algorithm::WeightedAStar => "weighted A*",
            Algorithm::Anytime => "restarting weighted A*",
            Algorithm::Greedy => "greedy best-first search",
            Algorithm::Beam => "beam search",
            Algorithm::DfsClosed => "depth-first search with a closed set",
            Algorithm::Bidirectional => "bidirectional uniform-cost search",
            Algorithm::BaeStar => "BAE*",
            Algorithm::Nbs => "NBS",
        }
    }

    /// Return the guarantee for a solution that it finds, as the end of a sentence; empty if there
    /// is none.
    pub(crate) fn quality(self) -> &'static str {
        match self {
            Algorithm::Dfs | Algorithm::DfsClosed | Algorithm::Greedy | Algorithm::Beam => "",
            Algorithm::Wida | Algorithm::WeightedAStar => {
                ", at most the weight times the least cost"
            }
            Algorithm::Dfid | Algorithm::Bfs => ", the fewest moves",
            Algorithm::Auto
            | Algorithm::Ida
            | Algorithm::IdaCr
            | Algorithm::Budgeted
            | Algorithm::BranchAndBound
            | Algorithm::IdaTable
            | Algorithm::UniformCost
            | Algorithm::AStar
            | Algorithm::Sma
            | Algorithm::Anytime
            | Algorithm::Bidirectional
            | Algorithm::BaeStar
            | Algorithm::Nbs => ", the least cost",
        }
    }

    /// Return whether it finds solutions of least cost, given an admissible heuristic.
    pub fn is_optimal(self) -> bool {
        self.quality() == ", the least cost"
    }

    /// Return whether it uses a heuristic.
    pub fn takes_heuristic(self) -> bool {
        matches!(
            self,
            Algorithm::Auto
                | Algorithm::Ida
                | Algorithm::Wida
                | Algorithm::IdaCr
                | Algorithm::Budgeted
                | Algorithm::BranchAndBound
                | Algorithm::IdaTable
                | Algorithm::AStar
                | Algorithm::Sma
                | Algorithm::WeightedAStar
                | Algorithm::Anytime
                | Algorithm::Greedy
                | Algorithm::Beam
                | Algorithm::BaeStar
                | Algorithm::Nbs
        )
    }

    /// Return whether it searches from both ends by estimates, which are named and made for both.
    pub(crate) fn estimates_both_ways(self) -> bool {
        matches!(self, Algorithm::BaeStar | Algorithm::Nbs)
    }

    /// Return whether it may change its machine, and begin to use a transposition table, between
    /// two bounds.
    pub(crate) fn changes_between_bounds(self) -> bool {
        matches!(self, Algorithm::Auto | Algorithm::Ida)
    }

    /// Return whether it expands open nodes by a score, so that [`Ties`](search::Ties) matter.
    pub fn has_ties(self) -> bool {
        matches!(
            self,
            Algorithm::UniformCost
                | Algorithm::AStar
                | Algorithm::WeightedAStar
                | Algorithm::Greedy
        )
    }

    /// Return whether its states may go to a disk.
    pub(crate) fn has_disk(self) -> bool {
        matches!(self, Algorithm::UniformCost | Algorithm::AStar)
    }

    /// Return whether it is bounded by a number of moves.
    pub(crate) fn is_bounded_by_moves(self) -> bool {
        matches!(self, Algorithm::Dfs | Algorithm::Dfid)
    }

    /// Return whether it keeps the states that it has seen, so that moves can't be pruned.
    pub fn detects_duplicates(self) -> bool {
        matches!(
            self,
            Algorithm::Bfs
                | Algorithm::UniformCost
                | Algorithm::AStar
                | Algorithm::Sma
                | Algorithm::WeightedAStar
                | Algorithm::Anytime
                | Algorithm::Greedy
                | Algorithm::Beam
                | Algorithm::DfsClosed
                | Algorithm::Bidirectional
                | Algorithm::BaeStar
                | Algorithm::Nbs
        )
    }
}

impl FromStr for Algorithm {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wanted = match text.to_ascii_lowercase().as_str() {
            "ida*" => "ida".to_owned(),
            "ida*-cr" | "ida*_cr" | "ida_cr" => "ida-cr".to_owned(),
            "a*" => "astar".to_owned(),
            "sma*" => "sma".to_owned(),
            "bae*" => "bae".to_owned(),
            "uniform-cost" => "ucs".to_owned(),
            "gbfs" => "greedy".to_owned(),
            other => other.to_owned(),
        };
        let mut all = Algorithm::ALL.iter();
        if let Some((_, algorithm)) = all.find(|(name, _)| *name == wanted) {
            return Ok(*algorithm);
        }
        let names: Vec<&str> = Algorithm::ALL.iter().map(|(name, _)| *name).collect();
        let near = names
            .iter()
            .find(|known| strsim::damerau_levenshtein(known, &wanted) == 1)
            .map(|known| format!("; did you mean `{known}`?"));
        Err(format!(
            "the algorithms are {}{}",
            names.join(", "),
            near.unwrap_or_default()
        ))
    }
}

/// Which nodes are left out because they repeat a state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cycles {
    /// Leave no node out
    #[default]
    None,
    /// Leave out nodes that equal their grandparent
    Parent,
    /// Leave out nodes that equal any node on the path to them
    Path,
}

impl Choice for Cycles {
    const ALL: &'static [Self] = &[Self::None, Self::Parent, Self::Path];

    fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Parent => "parent",
            Self::Path => "path",
        }
    }

    fn summary(self) -> &'static str {
        match self {
            Self::None => "Leave no node out",
            Self::Parent => "Leave out nodes that equal their grandparent",
            Self::Path => "Leave out nodes that equal any node on the path to them",
        }
    }
}
