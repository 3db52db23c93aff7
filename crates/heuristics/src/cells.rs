//! States as heuristics get them.

use psvn_ir::Value;

/// Return a state as cells, wide enough for all games.
pub(crate) fn cells(state: &[Value]) -> Vec<u32> {
    state.iter().map(|value| value.0).collect()
}
