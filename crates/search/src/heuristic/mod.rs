//! Estimates of the remaining cost.

pub mod check;
pub(crate) mod incremental;
pub(crate) mod lookups;
pub(crate) mod memo;
pub(crate) mod path;
pub(crate) mod ranked;
pub(crate) mod value_sums;
pub(crate) mod weight;
pub(crate) mod wide;

use psvn_ir::RuleId;

use crate::heuristic::memo::Memo;
use crate::heuristic::ranked::RankedTable;
use crate::heuristic::value_sums::ValueSums;
use crate::heuristic::wide::in_wide_cells;

/// The estimate of a state from which no goal state can be reached.
pub const DEAD_END: u64 = u64::MAX;

/// A lower bound on the cost of reaching a goal state.
///
/// [`Run::ida_star`](crate::Run::ida_star) finds a solution of least cost when the heuristic is
/// *admissible*: no estimate exceeds the least cost of reaching a goal state, and goal states are
/// estimated at 0. It need not be consistent.
///
/// One method is enough:
///
/// ```
/// use search::{CompiledGame, Heuristic, Searcher};
///
/// /// Half the number of tokens that are not at home: a move swaps two.
/// struct Misplaced;
///
/// impl Heuristic for Misplaced {
///     fn estimate(&self, state: &[u32]) -> u64 {
///         let misplaced = (0..).zip(state).filter(|(home, value)| home != *value);
///         misplaced.count().div_ceil(2) as u64
///     }
/// }
///
/// let game = psvn_ir::load("
///     3  3 3 3
///     A B C => B A C
///     A B C => A C B
///     GOAL 0 1 2
/// ").game.expect("a game without errors");
/// let start = game.parse_state("2 1 0")?;
/// let heuristics: [Box<dyn Heuristic>; 1] = [Box::new(Misplaced)];
/// let searcher = Searcher::builder(&CompiledGame::new(&game)).build();
/// for heuristic in &heuristics {
///     let report = searcher.run().ida_star(&start, &**heuristic)?;
///     assert_eq!(report.solution().map(|solution| solution.cost), Some(3));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Incremental estimates
/// Depth-first searches know the parent of a state and the rule between them. A heuristic that can
/// use them keeps its data in a [`Memo`], which searches carry along for each node of the path:
/// [`start`](Self::start) makes it for the first node and [`children`](Self::children) for the
/// others. Both must give the same estimates as [`estimate`](Self::estimate). Searches do so only
/// in games whose values fit in a byte. An
/// [`IncrementalHeuristic`](crate::IncrementalHeuristic) is simpler to write.
pub trait Heuristic: Sync {
    /// Return the estimate for a state, given as the number of each variable's value; [`DEAD_END`]
    /// if no goal state can be reached, which cuts the state off under every bound. It must be a
    /// function of the state alone.
    fn estimate(&self, state: &[u32]) -> u64;

    /// Return the estimate of the first state of a path, and write its memo. The state has one byte
    /// for each variable.
    fn start(&self, state: &[u8], memo: &mut Memo) -> u64 {
        let _ = memo;
        in_wide_cells(state, |state| self.estimate(state))
    }

    /// Estimate children of a node, and write their memos. `states` has the bytes of the children,
    /// one after the other; `estimated` has one place for each.
    ///
    /// The search drops a child whose estimate exceeds [`Sibling::cutoff`]. Then any number above
    /// the cutoff and up to the estimate is enough, with any memo.
    fn children(
        &self,
        node: PathNode<'_>,
        siblings: &[Sibling],
        states: &[u8],
        estimated: &mut [Estimated],
    ) {
        let _ = siblings;
        let states = states.chunks_exact(node.state.len());
        for (state, estimated) in states.zip(estimated) {
            estimated.estimate = in_wide_cells(state, |state| self.estimate(state));
        }
    }

    /// Find children whose estimate exceeds their [cutoff](Sibling::cutoff) by the memo of their
    /// parent alone, and write a number above the cutoff and up to the estimate for each. Then
    /// their states aren't made. Called only where [`Properties::has_rejection`] is set.
    fn reject(&self, memo: &Memo, siblings: &[Sibling], rejected: &mut [Option<u64>]) {
        let _ = (memo, siblings, rejected);
    }

    /// Return what a search may use to be faster. Called once for each search.
    fn properties(&self) -> Properties<'_> {
        Properties::default()
    }
}

/// A node whose children are estimated.
#[derive(Clone, Copy, Debug)]
pub struct PathNode<'n> {
    /// Its state, one byte for each variable.
    pub state: &'n [u8],
    /// Its memo.
    pub memo: &'n Memo,
}

/// A child to be estimated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sibling {
    /// The rule that leads to it.
    pub rule: RuleId,
    /// The greatest estimate at which the search keeps it.
    pub cutoff: u64,
}

/// An estimated child.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Estimated {
    /// Its estimate.
    pub estimate: u64,
    /// Its memo.
    pub memo: Memo,
}

/// What a search may use of a heuristic to be faster.
#[derive(Default)]
pub struct Properties<'h> {
    /// Whether all children of a node are better estimated together, as reads of a large table
    /// overlap then. Otherwise a search estimates each child when it comes to it.
    pub has_batches: bool,
    /// Whether [`Heuristic::reject`] may find anything.
    pub has_rejection: bool,
    /// The heuristic as a sum over the variables, if it is one: searches are much faster then.
    pub value_sums: Option<&'h ValueSums>,
    /// Tables from which the estimate is the maximum over all lists of the sum of their entries, in
    /// all states that are reachable from the starts for which the heuristic was made.
    pub ranked_tables: Option<Vec<Vec<&'h dyn RankedTable>>>,
}

/// The heuristic that estimates every state at 0.
#[derive(Clone, Copy, Debug, Default)]
pub struct ZeroHeuristic;

impl Heuristic for ZeroHeuristic {
    fn estimate(&self, _state: &[u32]) -> u64 {
        0
    }
}
