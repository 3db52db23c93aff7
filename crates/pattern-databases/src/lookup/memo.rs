//! What is kept for each node of a path.

use crate::database::PatternDatabase;

/// The most places of values or pieces, over all tables.
pub(super) const MOST_SLOTS: usize = 48;
/// The most tables.
pub(crate) const MOST_TABLES: usize = 8;
/// What a table says when no goal can be reached.
pub(super) const DEAD: u16 = u16::MAX;

/// The first place where places are not known.
pub(super) const UNKNOWN: u8 = u8::MAX;

/// What is kept for a node: the place of each value or piece of each table, and what each table
/// says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
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

/// Whether the distances of a table fit the memo.
pub(super) fn fits(table: &PatternDatabase) -> bool {
    table.table.width().unreached() - 1 <= u64::from(DEAD - 1) / table.unit
}
