//! The growth of the stacks of all walks: by doubling, within the limit on memory.
//!
//! The walks have different items. The walk by depth keeps whole
//! [plan states](crate::plan::PlanState) in its frames, pushes and pops them, and makes the last
//! plies in batches from there. The walk by cost keeps levels of the path that are never popped, so
//! that the level it returns to is in place; each has the number of its plan state, the heuristic's
//! data, and whether its children were counted by the interleaved walk. A type for both would carry
//! the fields of both through loops that copy a frame for each node. So the walks share how stacks
//! grow, the table of the path, and the [steps](crate::walk::steps), but not the frame.

use crate::run::limits::StopReason;
use crate::run::report::LevelCount;
use crate::walk::cycles::PathTable;

/// The minimum number of levels of a stack.
const FEWEST_LEVELS: usize = 64;

/// Return the new number of levels of a stack that has `n_levels` and needs `needed`.
///
/// # Errors
/// If there is not enough memory.
pub(crate) fn n_levels(
    n_levels: usize,
    needed: usize,
    bytes_per_level: usize,
    memory: usize,
) -> Result<usize, StopReason> {
    let affordable = (memory / bytes_per_level).min(u32::MAX as usize - 1);
    if needed > affordable {
        return Err(StopReason::Memory);
    }
    Ok(needed.max(n_levels * 2).max(FEWEST_LEVELS).min(affordable))
}

/// Return the bytes for each level of cycle detection along the whole path.
pub(crate) fn path_bytes(by_path: bool) -> usize {
    if by_path {
        PathTable::BYTES_PER_LEVEL
    } else {
        0
    }
}

/// Grow a list to `n` items, if it has fewer.
///
/// # Errors
/// If there is no memory.
pub(crate) fn resize<T: Clone>(items: &mut Vec<T>, n: usize, item: T) -> Result<(), StopReason> {
    reserve(items, n)?;
    items.resize(n.max(items.len()), item);
    Ok(())
}

/// Make room for `n` items in all.
///
/// # Errors
/// If there is no memory.
pub(crate) fn reserve<T>(items: &mut Vec<T>, n: usize) -> Result<(), StopReason> {
    items
        .try_reserve_exact(n.saturating_sub(items.len()))
        .map_err(|_| StopReason::Memory)
}

/// Make room for counts of `n` depths.
///
/// # Errors
/// If there is not enough memory.
#[cold]
pub(crate) fn grow_counts(
    counts: &mut Vec<LevelCount>,
    n: usize,
    memory: usize,
) -> Result<(), StopReason> {
    if n * size_of::<LevelCount>() > memory {
        return Err(StopReason::Memory);
    }
    resize(counts, n, LevelCount::default())
}
