//! Tables of coordinates.

use pattern_databases::{CoordinatePattern, CoordinateSizes};

use super::{Candidate, Collector, Kind};

/// The minimum size of a table: smaller ones give no better estimates than tables of pieces, and
/// `auto` would try them first.
const LEAST_ENTRIES: u128 = 1 << 24;

impl Candidate {
    pub(super) fn of_coordinates(pattern: CoordinatePattern, sizes: &CoordinateSizes) -> Self {
        let bytes = sizes.bytes.saturating_add(sizes.coordinate_bytes);
        Self {
            words: format!("a table of coordinates with {} look-ups", sizes.n_lookups),
            kind: Kind::Coordinates(pattern),
            patterns: Vec::new(),
            work: sizes.work,
            bytes: sizes.bytes,
            peak_bytes: bytes,
        }
    }
}

impl Collector<'_> {
    /// Add tables of coordinates, if rules only permute positions.
    pub(super) fn by_coordinate(&mut self) {
        let mut candidates = Vec::new();
        let found = CoordinatePattern::candidates(self.game, self.options, self.memory);
        let large = found
            .into_iter()
            .filter(|(_, sizes)| sizes.entries >= LEAST_ENTRIES);
        for (pattern, sizes) in large {
            self.add_sized(&mut candidates, Candidate::of_coordinates(pattern, &sizes));
        }
        self.end(candidates);
    }
}
