//! Choices on the command line that have names, and what is said of names that mean nothing (yet).

use clap::ValueEnum;
use move_prune::Order;

/// The machines that an analysis can write. All accept the same words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum MachineKind {
    /// One state for each kept word shorter than L (Burch & Holte 2011)
    Table,
    /// One state for each proper prefix of a redundant word (Taylor 1992)
    AhoCorasick,
    /// The fewest states
    #[default]
    Minimized,
}

impl MachineKind {
    /// What it is called.
    pub(crate) fn name(self) -> &'static str {
        match self {
            MachineKind::Table => "table",
            MachineKind::AhoCorasick => "aho-corasick",
            MachineKind::Minimized => "minimized",
        }
    }
}

/// The orders of words, with their names.
const ORDERS: [(&str, Order); 2] = [
    ("length-lexicographic", Order::LengthLexicographic),
    ("cost-length-lexicographic", Order::CostLengthLexicographic),
];

pub(crate) fn parse_order(text: &str) -> Result<Order, String> {
    let found = ORDERS
        .iter()
        .find(|(name, _)| name.eq_ignore_ascii_case(text));
    found.map(|(_, order)| *order).ok_or_else(|| {
        "the orders are `length-lexicographic` and `cost-length-lexicographic`".to_owned()
    })
}

/// The name of an order of words.
pub(crate) fn order_name(order: Order) -> &'static str {
    match order {
        Order::LengthLexicographic => ORDERS[0].0,
        Order::CostLengthLexicographic => ORDERS[1].0,
    }
}

/// In which order rules are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum RuleOrderChoice {
    /// As they stand in the file
    #[default]
    File,
    /// By label
    Label,
    /// So that the branching factor gets small
    Optimize,
}

impl RuleOrderChoice {
    /// What it is called.
    pub(crate) fn name(self) -> &'static str {
        match self {
            RuleOrderChoice::File => "file",
            RuleOrderChoice::Label => "label",
            RuleOrderChoice::Optimize => "optimize",
        }
    }
}

/// What the letters of words are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Letters {
    /// Each rule is one
    #[default]
    Rules,
    /// All rules that share a label are one
    Labels,
}

impl Letters {
    /// What it is called.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Letters::Rules => "rules",
            Letters::Labels => "labels",
        }
    }
}

/// How redundant words are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Method {
    /// All of them, by composition (Burch & Holte 2011)
    #[default]
    Exact,
    /// Those of operators that one generic state shows (Taylor & Korf 1993)
    Learner,
}

impl Method {
    /// What it is called.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Method::Exact => "exact",
            Method::Learner => "learner",
        }
    }
}

/// How long the sequences may be that an analysis compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MaxLength {
    /// As long as the limits allow.
    Auto,
    /// So long.
    Length(usize),
}

impl MaxLength {
    /// The length to ask for.
    pub(crate) fn length(self) -> usize {
        match self {
            MaxLength::Auto => usize::MAX,
            MaxLength::Length(length) => length,
        }
    }
}

pub(crate) fn parse_max_length(text: &str) -> Result<MaxLength, String> {
    if text.eq_ignore_ascii_case("auto") {
        return Ok(MaxLength::Auto);
    }
    text.parse()
        .map(MaxLength::Length)
        .map_err(|_| "expected a length or `auto`".to_owned())
}

/// What an analysis assumes of the states that a search will meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Assume {
    /// The invariants that hold in all states that can be reached from a goal state
    Goal,
    /// Those that hold in all states that can be reached from the given states
    Start,
    /// Nothing
    None,
}

/// What `psvn cache` does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CacheAction {
    /// Print where results are kept
    Path,
    /// Print how many bytes they take
    Size,
    /// Remove them
    Clear,
}

/// The algorithms that exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Algorithm {
    Dfs,
    Dfid,
    Ida,
    Wida,
    IdaCr,
    BranchAndBound,
    IdaTable,
    Bfs,
    UniformCost,
    AStar,
    WeightedAStar,
    DfsClosed,
    Bidirectional,
}

impl Algorithm {
    /// All of them, with the names by which they are chosen.
    const ALL: [(&'static str, Algorithm); 13] = [
        ("dfs", Algorithm::Dfs),
        ("dfid", Algorithm::Dfid),
        ("ida", Algorithm::Ida),
        ("wida", Algorithm::Wida),
        ("ida-cr", Algorithm::IdaCr),
        ("dfbnb", Algorithm::BranchAndBound),
        ("ida-table", Algorithm::IdaTable),
        ("bfs", Algorithm::Bfs),
        ("ucs", Algorithm::UniformCost),
        ("astar", Algorithm::AStar),
        ("wastar", Algorithm::WeightedAStar),
        ("dfs-closed", Algorithm::DfsClosed),
        ("bidirectional", Algorithm::Bidirectional),
    ];

    /// What people call it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Algorithm::Dfs => "depth-first search",
            Algorithm::Dfid => "depth-first iterative deepening",
            Algorithm::Ida => "IDA*",
            Algorithm::Wida => "WIDA*",
            Algorithm::IdaCr => "IDA* with controlled bounds",
            Algorithm::BranchAndBound => "depth-first branch and bound",
            Algorithm::IdaTable => "IDA* with a transposition table",
            Algorithm::Bfs => "breadth-first search",
            Algorithm::UniformCost => "uniform-cost search",
            Algorithm::AStar => "A*",
            Algorithm::WeightedAStar => "weighted A*",
            Algorithm::DfsClosed => "depth-first search with a closed set",
            Algorithm::Bidirectional => "bidirectional uniform-cost search",
        }
    }

    /// What is said of a solution that it finds.
    pub(crate) fn quality(self) -> &'static str {
        match self {
            Algorithm::Dfs | Algorithm::DfsClosed => "",
            Algorithm::Wida | Algorithm::WeightedAStar => {
                ", at most the weight times the least cost"
            }
            Algorithm::Dfid | Algorithm::Bfs => ", the fewest moves",
            Algorithm::Ida
            | Algorithm::IdaCr
            | Algorithm::BranchAndBound
            | Algorithm::IdaTable
            | Algorithm::UniformCost
            | Algorithm::AStar
            | Algorithm::Bidirectional => ", the least cost",
        }
    }

    /// Whether it finds solutions of least cost.
    pub(crate) fn is_optimal(self) -> bool {
        self.quality() == ", the least cost"
    }

    /// Whether it makes use of a heuristic.
    pub(crate) fn takes_heuristic(self) -> bool {
        matches!(
            self,
            Algorithm::Ida
                | Algorithm::Wida
                | Algorithm::IdaCr
                | Algorithm::BranchAndBound
                | Algorithm::IdaTable
                | Algorithm::AStar
                | Algorithm::WeightedAStar
        )
    }

    /// Whether it is bounded by a number of moves.
    pub(crate) fn is_bounded_by_moves(self) -> bool {
        matches!(self, Algorithm::Dfs | Algorithm::Dfid)
    }

    /// Whether it keeps the states that it has seen, so that moves can't be pruned.
    pub(crate) fn detects_duplicates(self) -> bool {
        matches!(
            self,
            Algorithm::Bfs
                | Algorithm::UniformCost
                | Algorithm::AStar
                | Algorithm::WeightedAStar
                | Algorithm::DfsClosed
                | Algorithm::Bidirectional
        )
    }
}

pub(crate) fn parse_algorithm(text: &str) -> Result<Algorithm, String> {
    let wanted = match text.to_ascii_lowercase().as_str() {
        "ida*" => "ida".to_owned(),
        "ida*-cr" | "ida*_cr" | "ida_cr" => "ida-cr".to_owned(),
        "a*" => "astar".to_owned(),
        "uniform-cost" => "ucs".to_owned(),
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

/// Cycle detection on the command line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Cycles {
    /// Leave no node out
    #[default]
    None,
    /// Leave out nodes that equal their grandparent
    Parent,
    /// Leave out nodes that equal any node on the path to them
    Path,
}
