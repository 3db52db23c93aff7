//! What a search is asked for: bounds, cycle detection, and how it goes about its work.

use crate::heuristic::weight::Weight;
use crate::kernel::Instructions;

/// Which children are left out because their state stands on their path already.
///
/// All of these are safe together with a machine and with cut-offs by an admissible heuristic
/// (Burch & Holte 2011, "Mixing with Cycle Detection"); the front page of this crate has the
/// argument.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum CycleDetection {
    /// None.
    #[default]
    None,
    /// A child is left out when it equals its grandparent, the parent of the node that is expanded:
    /// the length-2 cycle detection of Burch & Holte 2011, also called parent pruning. A rule that
    /// leaves the state as it is makes a child that is *not* left out.
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

/// Which part of a tree is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bound {
    /// All sequences of at most this many rules.
    Depth(u64),
    /// All sequences that cost at most this much.
    Cost(u64),
}

/// Searches that may make no more nodes than this go without threads.
pub(crate) const WORTH_THREADS: u64 = 1 << 22;

/// Settings that change the speed of a search, and what it counts, but not what it finds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Options {
    pub(crate) cycle_detection: CycleDetection,
    pub(crate) instructions: Instructions,
    /// `None` for as many plies as the cache has room for, where the tree is worth it.
    pub(crate) max_macro_plies: Option<usize>,
    pub(crate) n_threads: usize,
    pub(crate) threads_above: u64,
    pub(crate) count_forbidden: bool,
    pub(crate) count_depths: bool,
    pub(crate) plans: bool,
    /// The bytes of the transposition table, if there is to be one.
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
