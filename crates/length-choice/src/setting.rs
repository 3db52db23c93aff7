//! What a search by IDA* needs.

use analyses::AnalyzeError;
use budget::Progress;
use heuristics::Combined;
use host::Host;
use psvn_ir::{Game, State};
use search::{HandOut, Limits, SolveReport, StateMismatch};

use crate::prepared::PreparedPruning;
use crate::searches::Searches;

/// A search by IDA* from one start, and all that surrounds it.
#[derive(Clone)]
pub struct Setting<'s> {
    /// The game.
    pub game: &'s Game,
    /// Where the search begins.
    pub start: &'s State,
    /// What it leaves out.
    pub pruning: &'s PreparedPruning,
    /// The search with each of its machines.
    pub searches: &'s Searches,
    /// The estimate.
    pub estimate: &'s Combined,
    /// A search that was stopped, whose `next_bound` this one begins with.
    pub earlier: Option<SolveReport>,
    /// Whether a transposition table is known to pay beside it.
    pub has_transpositions: bool,
    /// The most bytes of the estimate's tables and of a transposition table, if the search may use
    /// one where that pays.
    pub bytes_for_transpositions: Option<usize>,
    /// The limits of the search.
    pub limits: Limits,
    /// The limits of each analysis, besides half of the time that is left.
    pub limits_of_analyses: &'s Limits,
    /// The number of threads.
    pub threads: usize,
    /// Whether nodes are counted by depth.
    pub count_depths: bool,
    /// Hands out subtrees to other processes, if there are any.
    pub hand_out: Option<&'s dyn HandOut>,
    /// Makes what receives the progress of each part.
    pub on_progress: &'s dyn Fn() -> Box<dyn FnMut(&Progress)>,
    /// Gives analyses their limits and threads, and hears of decisions.
    pub host: &'s dyn Host,
}

/// Why a search in parts can't be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SearchError {
    /// The start isn't a state of the game.
    #[error(transparent)]
    Start(#[from] StateMismatch),
    /// A machine can't be made, for another reason than its size.
    #[error(transparent)]
    Analysis(#[from] AnalyzeError),
}
