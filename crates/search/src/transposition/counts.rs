//! Counts of the transposition table of a search.

/// The default size of a transposition table in bytes: 64 MiB.
pub const DEFAULT_TABLE_BYTES: usize = 64 << 20;

/// The counts of a transposition table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TableCounts {
    /// Nodes that were looked up.
    pub lookups: u64,
    /// Nodes for which the table held a larger bound than the heuristic's estimate.
    pub hits: u64,
    /// Nodes that were cut off because of such a bound.
    pub cutoffs: u64,
    /// Bounds that were written, including improvements of stored ones.
    pub stores: u64,
    /// Writes that displaced the bound of another node.
    pub replacements: u64,
    /// The number of bounds that fit the table.
    pub capacity: u64,
    /// The size of the table in bytes.
    pub bytes: usize,
    /// The peak memory of table and path together, in bytes.
    pub peak_bytes: usize,
}

impl TableCounts {
    /// Add the counts of another thread, or of another search with its own table.
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
