//! Tables that were named once and are kept in a store.

use abstraction::Abstraction;
use pattern_databases::{CoordinatePattern, CoordinateTable, Options};
use psvn_ir::Game;

use super::{Candidate, Kind};

impl Candidate {
    /// Return the candidate of tables that are named as by [`named`](Self::named), if the store of
    /// the options has all of them: a sum, or a maximum of single tables. `sums` has the patterns
    /// of each sum, and a table alone is a sum of one.
    pub fn of_kept(
        game: &Game,
        sums: &[Vec<String>],
        n_mirrored: usize,
        duals: bool,
        options: &Options<'_>,
    ) -> Option<Self> {
        if let [sum] = sums
            && let [text] = &sum[..]
            && CoordinatePattern::is_begun(text)
        {
            let pattern = CoordinatePattern::parse(game, text).ok()?;
            let sizes = CoordinateTable::sizes(game, &pattern, options).ok()?;
            let plain = Self::of_coordinates(pattern, &sizes);
            let with_duals = plain.with_duals(game, options).filter(|_| duals);
            let mut candidates = with_duals.into_iter().chain([plain]);
            return candidates.find(|candidate| candidate.is_kept(game, options));
        }
        let (kind, between) = match sums {
            [sum] if sum.len() > 1 => (Kind::Sum, " + "),
            _ if sums.iter().any(|sum| sum.len() != 1) => return None,
            _ if duals => (Kind::Duals(n_mirrored), ", "),
            _ if n_mirrored > 0 => (Kind::Pieces(n_mirrored), ", "),
            _ => (Kind::Greatest, ", "),
        };
        let names: Vec<&str> = sums.iter().flatten().map(String::as_str).collect();
        let patterns = names
            .iter()
            .map(|text| Abstraction::from_pattern(game, text));
        let patterns = patterns.collect::<Result<_, _>>().ok()?;
        let candidate = Self::new(game, kind, patterns, names.join(between), options).ok()?;
        candidate.is_kept(game, options).then_some(candidate)
    }
}
