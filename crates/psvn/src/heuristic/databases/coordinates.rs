//! Tables of coordinates among pattern databases.

use std::path::Path;
use std::time::Instant;

use heuristic_choice::how_far;
use pattern_databases::{CoordinatePattern, CoordinateTable, Options};

use super::files::{self, Outputs};
use super::{DistanceCount, Pattern, PatternTables, TableFigures, TableOptions, TableSize};
use crate::environment::Environment;
use crate::error::Error;
use crate::game::Game;
use crate::heuristic::table_errors;

/// The pattern of coordinates and its name, if there is one among these.
pub(super) fn only<'p>(
    patterns: &'p [Pattern],
    options: &TableOptions,
) -> Result<Option<(&'p str, &'p CoordinatePattern)>, Error> {
    let mut found = patterns
        .iter()
        .filter_map(|it| Some((&*it.name, it.coordinates.as_ref()?)));
    match found.next() {
        Some(_) if patterns.len() > 1 || options.additive => Err(Error::usage(
            "a table of coordinates can't be combined with other tables",
        )),
        found => Ok(found),
    }
}

/// Build the table of a pattern, and write it if there is a file for it.
pub(super) fn build(
    game: &Game,
    (name, pattern): (&str, &CoordinatePattern),
    outputs: Option<Outputs>,
    limits: &Options<'static>,
    env: &Environment,
    started: Instant,
) -> Result<PatternTables, Error> {
    let shown = env.begin();
    let progress = |progress: &budget::Progress| shown.show(|| how_far(progress, name), None);
    let options = Options {
        budget: limits.budget.clone(),
        progress: Some(&progress),
        ..Options::default()
    };
    let table = env.install(|| CoordinateTable::build(game.ir(), pattern, &options));
    let table = table.map_err(table_errors::of_building)?;
    let mut written = Vec::new();
    if let Some(outputs) = outputs {
        written = outputs.paths().to_vec();
        files::write_coordinates(&table, outputs, game.ir(), limits)?;
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
    env: &Environment,
    started: Instant,
) -> Result<PatternTables, Error> {
    let table = env.install(|| CoordinateTable::open(path, game.ir(), limits));
    let table = table.map_err(|error| table_errors::of_file("use", path, error))?;
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
    let sizes = CoordinateTable::sizes(game.ir(), pattern, &Options::default());
    let sizes = sizes.map_err(table_errors::of_building)?;
    Ok(TableSize {
        pattern: name.to_owned(),
        entries: sizes.entries,
        ranks: sizes.entries,
        building_bytes: sizes.building_bytes,
        ranking: sizes.numbering,
        variables: game.ir().n_variables(),
        rules: game.ir().rules().len(),
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
