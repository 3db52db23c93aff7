//! What a search with a transposition table reports of it.

/// The bytes of a transposition table, unless its user says otherwise: 64 MiB.
pub const DEFAULT_TABLE_BYTES: usize = 64 << 20;

/// What happened at the transposition table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TableCounts {
    /// Nodes that were looked up.
    pub lookups: u64,
    /// Those for which the table held more than the heuristic's estimate.
    pub hits: u64,
    /// Those that were cut off for it.
    pub cutoffs: u64,
    /// Bounds that were written, improvements of stored ones included.
    pub stores: u64,
    /// Writes that displaced the bound of another node.
    pub replacements: u64,
    /// The bounds that the table has room for.
    pub capacity: u64,
    /// The bytes that the table takes.
    pub bytes: usize,
    /// The most memory that table and path took at a time, in bytes.
    pub peak_bytes: usize,
}

impl TableCounts {
    /// Add what another thread, or another search with a table of its own, has counted.
    pub(crate) fn add(&mut self, other: &Self) {
        self.lookups += other.lookups;
        self.hits += other.hits;
        self.cutoffs += other.cutoffs;
        self.stores += other.stores;
        self.replacements += other.replacements;
        self.capacity = self.capacity.max(other.capacity);
        self.bytes = self.bytes.max(other.bytes);
        self.peak_bytes = self.peak_bytes.max(other.peak_bytes);
    }
}
