//! Options of a search: bounds, cycle detection, and how it works.

use crate::heuristic::weight::Weight;
use crate::kernel::Instructions;

/// The choice of children to leave out because their state is on their path already.
///
/// All of these are safe together with a machine and with cut-offs by an admissible heuristic
/// (Burch & Holte 2011, "Mixing with Cycle Detection"); the crate documentation has the argument.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum CycleDetection {
    /// None.
    #[default]
    None,
    /// A child is left out when it equals its grandparent, the parent of the node that is expanded:
    /// the length-2 cycle detection of Burch & Holte 2011, also called parent pruning. A child
    /// equal to its own parent is *not* left out.
    Parent,
    /// A child is left out when it equals any state on the path to it. Expected constant time for
    /// each child, whatever the length of the path.
    Path,
}

/// Where a depth-first branch and bound begins
/// ([`Run::branch_and_bound`](crate::Run::branch_and_bound)).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FirstBound {
    /// Look only for solutions that cost at most this much.
    Cost(u64),
    /// WIDA\* with this weight finds a solution first; then look only for cheaper ones.
    Weighted(Weight),
}

/// A part of a search by IDA\*: some of its iterations
/// ([`Run::ida_star_part`](crate::Run::ida_star_part)).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Part {
    /// No solution costs less: the first bound is this one or the estimate of the start, whichever
    /// is greater.
    pub first_bound: u64,
    /// The nodes of the previous iteration, which the size of the next one is guessed from; 0 if
    /// there is none.
    pub last_generated: u64,
    /// The part ends after the first iteration with which it has generated more nodes than this.
    pub pause_above: u64,
}

/// The part of a tree that is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bound {
    /// All sequences of at most this many rules.
    Depth(u64),
    /// All sequences that cost at most this much.
    Cost(u64),
}

/// The maximum number of nodes of a search that runs without threads.
pub(crate) const WORTH_THREADS: u64 = 1 << 22;

/// Settings that change the speed and the counts of a search, but not its result.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Options {
    pub(crate) cycle_detection: CycleDetection,
    pub(crate) instructions: Instructions,
    /// `None` stands for as many plies as fit the cache, where the tree is large enough.
    pub(crate) max_macro_plies: Option<usize>,
    pub(crate) n_threads: usize,
    pub(crate) threads_above: u64,
    pub(crate) count_forbidden: bool,
    pub(crate) count_depths: bool,
    pub(crate) plans: bool,
    /// The bytes of the transposition table, if one was requested.
    pub(crate) table_bytes: Option<usize>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            cycle_detection: CycleDetection::None,
            instructions: Instructions::default().available(),
            max_macro_plies: None,
            n_threads: 1,
            threads_above: WORTH_THREADS,
            count_forbidden: true,
            count_depths: false,
            plans: true,
            table_bytes: None,
        }
    }
}
