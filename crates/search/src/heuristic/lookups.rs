//! How many entries of tables were read.
//!
//! Each thread counts by itself, in a variable of its own. Heuristics are shared by threads and
//! have no data for a walk but the memos of nodes, which are full. A variable that threads share
//! would cost more than a look-up.

use std::cell::Cell;

thread_local! {
    /// Such a variable is read by one instruction, since it needs no beginning and no end.
    static LOOKUPS: Cell<u64> = const { Cell::new(0) };
}

/// Count entries of a table that a heuristic has read. An entry that was fetched before, as a
/// hint, counts when it is read.
#[inline(always)]
pub fn count_lookups(n: u64) {
    LOOKUPS.with(|lookups| lookups.set(lookups.get().wrapping_add(n)));
}

/// Return the number of entries that this thread has counted, with those of the threads of its
/// searches that ended. The difference of two numbers tells what was read between.
pub fn lookups() -> u64 {
    LOOKUPS.with(Cell::get)
}
