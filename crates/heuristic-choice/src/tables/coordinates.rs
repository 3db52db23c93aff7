//! Tables of coordinates among pattern databases.

use std::path::Path;
use std::time::Instant;

use host::{Host, HostExt};
use pattern_databases::{CoordinatePattern, CoordinateTable, Options};
use psvn_ir::Game;

use super::files::{self, Outputs};
use super::{DistanceCount, Pattern, PatternTables, TableFigures, TableOptions, TableSize};
use crate::PrepareError as Error;
use crate::specified::how_far;

/// The pattern of coordinates and its name, if there is one among these.
pub(super) fn only<'p>(
    patterns: &'p [Pattern],
    options: &TableOptions,
) -> Result<Option<(&'p str, &'p CoordinatePattern)>, Error> {
    let mut found = patterns
        .iter()
        .filter_map(|it| Some((&*it.name, it.coordinates.as_ref()?)));
    match found.next() {
        Some(_) if patterns.len() > 1 || options.additive => Err(Error::CoordinatesAndOthers),
        found => Ok(found),
    }
}

/// Build the table of a pattern, and write it if there is a file for it.
pub(super) fn build(
    game: &Game,
    (name, pattern): (&str, &CoordinatePattern),
    outputs: Option<Outputs>,
    limits: &Options<'static>,
    host: &dyn Host,
    started: Instant,
) -> Result<PatternTables, Error> {
    let shown = host.begin();
    let progress = |progress: &budget::Progress| shown.show(&|| how_far(progress, name), None);
    let options = Options {
        budget: limits.budget.clone(),
        progress: Some(&progress),
        ..Options::default()
    };
    let table = host.compute(|| CoordinateTable::build(game, pattern, &options));
    let table = table.map_err(Error::Build)?;
    let mut written = Vec::new();
    if let Some(outputs) = outputs {
        written = outputs.paths().to_vec();
        files::write_coordinates(&table, outputs, game, limits)?;
    }
    Ok(PatternTables {
        names: vec![name.to_owned()],
        tables: Vec::new(),
        coordinates: Some(table),
        written,
        additive: false,
        elapsed: started.elapsed(),
    })
}

/// Read a file.
pub(super) fn open(
    game: &Game,
    path: &Path,
    limits: &Options<'_>,
    host: &dyn Host,
    started: Instant,
) -> Result<PatternTables, Error> {
    let table = host.compute(|| CoordinateTable::open(path, game, limits));
    let table = table.map_err(|error| Error::of_file(path, error))?;
    Ok(PatternTables {
        names: vec![path.display().to_string()],
        tables: Vec::new(),
        coordinates: Some(table),
        written: Vec::new(),
        additive: false,
        elapsed: started.elapsed(),
    })
}

/// The size of the table of a pattern.
pub(super) fn size(
    game: &Game,
    name: &str,
    pattern: &CoordinatePattern,
) -> Result<TableSize, Error> {
    let sizes = CoordinateTable::sizes(game, pattern, &Options::default());
    let sizes = sizes.map_err(Error::Build)?;
    Ok(TableSize {
        pattern: name.to_owned(),
        entries: sizes.entries,
        ranks: sizes.entries,
        building_bytes: sizes.building_bytes,
        ranking: sizes.numbering,
        variables: game.n_variables(),
        rules: game.rules().len(),
    })
}

/// The figures of a table.
pub(super) fn figures(
    name: String,
    table: &CoordinateTable,
    with_distribution: bool,
) -> TableFigures {
    let levels = (0..)
        .zip(table.levels())
        .map(|(steps, entries)| DistanceCount {
            distance: steps * table.unit(),
            entries: *entries,
        });
    let levels: Vec<DistanceCount> = levels.collect();
    let reached: u64 = levels.iter().map(|level| level.entries).sum();
    let sum: f64 = levels
        .iter()
        .map(|level| level.distance as f64 * level.entries as f64)
        .sum();
    TableFigures {
        pattern: name,
        entries: table.n_entries(),
        bits_per_entry: table.bits_per_entry(),
        bytes: table.n_bytes(),
        ranking: table.numbering(),
        paying: None,
        reached,
        unreached: table.n_entries() - reached,
        max_distance: levels.last().map_or(0, |level| level.distance),
        mean_distance: sum / reached.max(1) as f64,
        saturated: false,
        consistent: table.is_consistent(),
        assumed_invariants: Vec::new(),
        distribution: with_distribution.then(|| levels.clone()),
        levels,
    }
}
