//! Tables of coordinates.

use pattern_databases::{CoordinatePattern, CoordinateSizes, CoordinateTable, Options};
use psvn_ir::Game;

use super::{Candidate, Collector, Kind};

/// The minimum size of a table: smaller ones give no better estimates than tables of pieces, and
/// `auto` would try them first.
const LEAST_ENTRIES: u128 = 1 << 24;

impl Candidate {
    pub(super) fn of_coordinates(pattern: CoordinatePattern, sizes: &CoordinateSizes) -> Self {
        Self {
            words: format!("a table of coordinates with {} look-ups", sizes.n_lookups),
            kind: Kind::Coordinates(pattern, false),
            patterns: Vec::new(),
            work: sizes.work,
            bytes: sizes.bytes,
            peak_bytes: sizes.building_bytes,
        }
    }

    /// Return the same table of coordinates, looked up for duals, too; `None` if it is another
    /// candidate, or has no duals.
    pub fn with_duals(&self, game: &Game, options: &Options<'_>) -> Option<Self> {
        let Kind::Coordinates(pattern, false) = &self.kind else {
            return None;
        };
        let sizes = CoordinateTable::dual_sizes(game, pattern, options).ok()?;
        Some(Self {
            words: format!("{}, and its duals", self.words),
            kind: Kind::Coordinates(pattern.clone(), true),
            patterns: Vec::new(),
            work: self.work.saturating_add(sizes.work),
            bytes: self.bytes.saturating_add(sizes.bytes),
            peak_bytes: self.peak_bytes.saturating_add(sizes.peak_bytes),
        })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_candidate_with_duals_is_built_with_them() {
        let text = domains::generate_reference("topspin:7:3").expect("a built-in game");
        let game = psvn_ir::load(&text).game.expect("a game");
        let options = Options::default();
        let pattern = CoordinatePattern::parse(&game, "like 1 3 apart at 1").expect("a pattern");
        let sizes = CoordinateTable::sizes(&game, &pattern, &options).expect("a table");
        let plain = Candidate::of_coordinates(pattern, &sizes);
        let with = plain.with_duals(&game, &options).expect("duals");
        assert!(with.with_duals(&game, &options).is_none());
        assert!(with.has_duals() && !plain.has_duals() && !with.is_same(&plain));
        assert_eq!(with.named(&game), plain.named(&game));
        assert!(with.work() > plain.work() && with.bytes() > plain.bytes());
        assert!(with.peak_bytes() > plain.peak_bytes());
        for (candidate, has_duals) in [(plain, false), (with, true)] {
            let built = candidate.build(&game, &options).expect("a small table");
            let table = built.coordinates().expect("a table of coordinates");
            assert_eq!(table.has_duals(), has_duals);
        }
    }
}
