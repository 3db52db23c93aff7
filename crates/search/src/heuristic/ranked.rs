//! Heuristics that look up numbers in tables, by ranks that add up one number for each variable.

use psvn_ir::VarId;

/// A table of estimates. The rank of a state is the sum over all variables of a number that depends
/// on the variable and its value.
///
/// A search that keeps states packed adds up these numbers for several variables at once, and
/// fetches the entries of many states together.
pub trait RankedTable: Sync {
    /// Return the numbers by value, for the variables whose numbers aren't all 0. `None` if the
    /// rank isn't such a sum.
    fn numbers(&self) -> Option<Vec<(VarId, Vec<u64>)>>;

    /// Return the estimate at a rank; [`DEAD_END`](crate::DEAD_END) if no goal can be reached.
    fn at(&self, rank: u64) -> u64;

    /// Prefetch hint: the estimate at this rank is about to be read. Changes no estimate.
    fn fetch(&self, rank: u64);
}
