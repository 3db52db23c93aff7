//! The methods that experiments compare.

use std::path::PathBuf;
use std::time::Duration;

use experiment::Group;

use crate::analysis::{Pruning, SplitChoice};
use crate::solve::{PruneSpec, SearchOptions};

/// Reads the options of a group of cells.
pub type MethodReader<'r> = dyn Fn(&Group<'_>) -> Result<Method, String> + 'r;

/// A method that can be measured.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Method {
    /// Looks for a solution.
    Solve {
        /// The options of the search.
        options: Box<SearchOptions>,
        /// Whether starts are searched that are proved to have no solution.
        search_anyway: bool,
    },
    /// Counts a tree.
    Tree(TreeOptions),
    /// Looks for redundant words.
    Analyze(Box<Pruning>),
    /// Looks ahead after all openings of a game of two players.
    Openings(OpeningsOptions),
}

/// Options of a count of a tree.
#[derive(Clone, Debug)]
pub struct TreeOptions {
    /// The greatest depth that is counted.
    pub depth: u64,
    /// The pruning.
    pub prune: PruneSpec,
    /// Whether sequences are compared within the invariants of the starts; else in all states, as
    /// for published counts.
    pub within_invariants: bool,
    /// Whether rules are split by values of variables; unless given, where it pays, within the
    /// invariants.
    pub split: Option<SplitChoice>,
    /// The most nodes.
    pub nodes: Option<u64>,
    /// The most time.
    pub time: Option<Duration>,
}

impl TreeOptions {
    /// Whether rules are split.
    pub(super) fn split_choice(&self) -> SplitChoice {
        self.split
            .unwrap_or_else(|| SplitChoice::usual(self.within_invariants))
    }
}

/// Options of a count after all openings: Table 7-1 of "Algorithms in a Nutshell".
#[derive(Clone, Debug)]
pub struct OpeningsOptions {
    /// The moves of each opening, at least 1.
    pub moves: u32,
    /// The number of moves of an opening and of the look-ahead after it together.
    pub depth: u32,
    /// How positions are valued.
    pub algorithm: OpeningsAlgorithm,
    /// The most nodes.
    pub nodes: Option<u64>,
    /// The most time.
    pub time: Option<Duration>,
}

/// How positions are valued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpeningsAlgorithm {
    /// Minimax.
    Minimax,
    /// AlphaBeta.
    AlphaBeta,
}

/// Whether a command takes instances.
pub(super) fn takes_instances(command: &str) -> Result<bool, String> {
    match command {
        "solve" | "tree" => Ok(true),
        "analyze" | "openings" => Ok(false),
        other => Err(format!(
            "there is no command `{other}`; use solve, tree, analyze or openings"
        )),
    }
}

impl Method {
    /// The files that its options name.
    pub(super) fn files(&self) -> Vec<PathBuf> {
        match self {
            Method::Solve { options, .. } => options.files(),
            Method::Tree(options) => match &options.prune {
                PruneSpec::File(path) => vec![path.clone()],
                _ => Vec::new(),
            },
            Method::Analyze(_) | Method::Openings(_) => Vec::new(),
        }
    }
}
