//! The parts of a report that only searches with duplicate detection have.

/// Counts of the states that a search stored, both directions together.
///
/// The [generated](crate::Totals::generated) nodes are `duplicates`, `dead_ends`, `beyond`, and the
/// stored states that were generated (all but the start and the goal states of a backward search).
/// This sum doesn't hold in SMA\*, which stores only states whose children it makes, nor if the
/// search was stopped between making a node and storing it, or if a path cost exceeded 64 bits. A
/// node that is expanded again counts again as [expanded](crate::Totals::expanded).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BestFirstCounts {
    /// Children whose state was stored already, by whatever path.
    pub duplicates: u64,
    /// States that were expanded, reached again at less cost, and therefore reopened. 0 with a
    /// consistent heuristic.
    pub reopened: u64,
    /// Children that the heuristic called dead ends. They are not stored.
    pub dead_ends: u64,
    /// Children whose estimated total cost isn't below the cost of a known solution, and those that
    /// a beam left out. They are not stored. In SMA\*, states that were forgotten.
    pub beyond: u64,
    /// The states stored by the forward search.
    pub stored: StoredStates,
    /// The states stored by the backward search, if there was one.
    pub stored_backward: Option<StoredStates>,
    /// In breadth-first searches, the number of states at each distance from the start, in moves;
    /// the last depth may be incomplete when a search ended before the space was exhausted.
    pub layers: Vec<u64>,
    /// The bytes of one packed state.
    pub packed_bytes: usize,
    /// Peak memory of the search's tables, in bytes.
    pub peak_bytes: usize,
    /// The files of a search on a disk; the bytes of its stored states include theirs.
    pub on_disk: Option<OnDiskCounts>,
}

impl BestFirstCounts {
    /// Return the number of states stored, both directions together.
    pub fn states(&self) -> u64 {
        self.stored.states() + self.stored_backward.map_or(0, |stored| stored.states())
    }
}

/// The files of a search on a disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct OnDiskCounts {
    /// The bytes of the files at the end of the search.
    pub bytes: u64,
    /// The most bytes of files at any time.
    pub peak_bytes: u64,
    /// The bytes that were read.
    pub read: u64,
    /// The bytes that were written.
    pub written: u64,
}

/// The states that one direction of a search holds at its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct StoredStates {
    /// States whose children were made.
    pub closed: u64,
    /// States whose children were not made yet.
    pub open: u64,
    /// The bytes of the tables of states: packed states, index, path costs, links.
    pub table_bytes: usize,
    /// The bytes of the open list; 0 in a breadth-first search, whose table is the queue.
    pub open_bytes: usize,
}

impl StoredStates {
    /// Return the number of states.
    pub fn states(&self) -> u64 {
        self.closed + self.open
    }

    /// Return the average bytes for each state, open list included; 0 without states.
    pub fn bytes_per_state(&self) -> f64 {
        match self.states() {
            0 => 0.0,
            states => (self.table_bytes + self.open_bytes) as f64 / states as f64,
        }
    }
}
