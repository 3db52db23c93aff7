//! The data kept for each node of a path.

use crate::database::PatternDatabase;

/// The maximum number of places of values or pieces, over all tables.
pub(super) const MOST_SLOTS: usize = 48;
/// The maximum number of tables.
pub(crate) const MOST_TABLES: usize = 8;
/// The number of children that are looked up together.
pub(super) const MOST_SIBLINGS: usize = 16;
/// The estimate of a table when no goal is reachable.
pub(super) const DEAD: u16 = u16::MAX;

/// Marks, as the first place, that places are not known.
pub(super) const UNKNOWN: u8 = u8::MAX;

/// The data kept for a node: the place of each value or piece of each table, and each table's
/// estimate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(8))]
pub struct PatternMemo {
    pub(super) parts: [u16; MOST_TABLES],
    pub(super) places: [u8; MOST_SLOTS],
}

impl Default for PatternMemo {
    fn default() -> Self {
        Self {
            parts: [0; MOST_TABLES],
            places: [0; MOST_SLOTS],
        }
    }
}

/// Return whether the distances of a table fit the memo.
pub(super) fn fits(table: &PatternDatabase) -> bool {
    table.table.width().unreached() - 1 <= u64::from(DEAD - 1) / table.unit
}
