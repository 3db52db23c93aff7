//! Tables of coordinates.

use pattern_databases::{CoordinatePattern, CoordinateSizes};

use super::{Candidate, Collector, Kind};

impl Candidate {
    fn of_coordinates(pattern: CoordinatePattern, sizes: &CoordinateSizes) -> Self {
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
        let mut found = CoordinatePattern::candidates(self.game, self.options, self.memory);
        while let Some((first, _)) = found.first() {
            let first = first.clone();
            let (family, others) = found.into_iter().partition(|(it, _)| it.is_variant_of(&first));
            found = others;
            let family: Vec<(CoordinatePattern, CoordinateSizes)> = family;
            let mut candidates = Vec::new();
            for (pattern, sizes) in family {
                self.add_sized(&mut candidates, Candidate::of_coordinates(pattern, &sizes));
            }
            self.end(candidates);
        }
    }
}
