//! The pattern databases that a specification names.

use abstraction::Abstraction;
use budget::{Limits, OnProgress, Watch, group_digits};
use invariants::Invariants;
use pattern_databases::{
    AdditiveSet, BuildError, CoordinatePattern, CoordinateTable, Options, PatternDatabase, Patterns,
};
use psvn_ir::Game;

use crate::kept_tables::KeptTables;
use crate::spec::TableSpec;
use crate::{Host, PrepareError};

/// The setting in which tables are built.
pub(crate) struct Building<'a> {
    pub(crate) memory: Option<usize>,
    /// Limits, and progress.
    pub(crate) host: &'a dyn Host,
    /// Further look-ups; see [`Patterns::with_further_lookups`].
    pub(crate) mirrored: usize,
    pub(crate) duals: bool,
    /// The invariants of the states that will be looked up; those of the goals if not given.
    pub(crate) known: Option<&'a Invariants>,
    /// The tables that were built before.
    pub(crate) store: &'a KeptTables<'a>,
}

impl Building<'_> {
    fn options<'o>(&'o self, progress: &'o OnProgress<'o>) -> Options<'o> {
        Options {
            progress: Some(progress),
            budget: Watch::new(self.host.limits(&Limits {
                memory: self.memory,
                ..Limits::default()
            })),
            invariants: self.known.cloned(),
            store: Some(self.store),
        }
    }
}

/// The greatest of sums of tables, and its description.
pub(crate) fn make(
    sums: &[Vec<TableSpec>],
    game: &Game,
    building: &Building<'_>,
) -> Result<(Patterns, String), PrepareError> {
    if sums.iter().flatten().any(is_of_coordinates) {
        return coordinates(sums, game, building);
    }
    let mut words = Vec::new();
    let mut sets = Vec::new();
    for sum in sums {
        let names: Vec<String> = sum.iter().map(ToString::to_string).collect();
        words.push(names.join(" + "));
        sets.push(set(sum, game, building)?);
    }
    let words = match &words[..] {
        [one] => one.clone(),
        _ => format!("max({})", words.join(", ")),
    };
    let patterns = Patterns::new(game, sets).map_err(PrepareError::from)?;
    let n_sums = patterns.sums().len();
    let patterns = patterns.with_further_lookups(game, building.mirrored, building.duals);
    let words = match patterns.sums().len() - n_sums {
        0 => words,
        1 => format!("{words}, and one more look-up"),
        n => format!("{words}, and {n} more look-ups"),
    };
    Ok((patterns, words))
}

/// Whether it is a table of coordinates.
fn is_of_coordinates(table: &TableSpec) -> bool {
    match table {
        TableSpec::File(path) => CoordinateTable::is_file(path),
        TableSpec::Pattern(text) => CoordinatePattern::is_begun(text),
    }
}

/// A table of coordinates, which must be the only one, and its description.
fn coordinates(
    sums: &[Vec<TableSpec>],
    game: &Game,
    building: &Building<'_>,
) -> Result<(Patterns, String), PrepareError> {
    let tables: Vec<&TableSpec> = sums.iter().flatten().collect();
    let [table] = tables[..] else {
        return Err(PrepareError::CoordinatesAndOthers);
    };
    let shown = building.host.begin();
    let words = table.to_string();
    shown.show(&|| format!("preparing {words}"), None);
    let progress = |progress: &budget::Progress| shown.show(&|| how_far(progress, &words), None);
    let options = building.options(&progress);
    let built = match table {
        TableSpec::File(path) => CoordinateTable::open(path, game, &options)
            .map_err(|error| PrepareError::of_file(path, error))?,
        TableSpec::Pattern(text) => {
            let pattern = CoordinatePattern::parse(game, text)
                .map_err(|error| PrepareError::of_pattern(text, &error))?;
            CoordinateTable::build(game, &pattern, &options).map_err(PrepareError::from)?
        }
    };
    let built = if building.duals {
        built
            .with_duals(game, &options)
            .map_err(PrepareError::from)?
    } else {
        built
    };
    let words = if built.has_duals() {
        format!("{words}, and its look-ups for dual states")
    } else {
        words
    };
    let patterns = Patterns::of_coordinates(game, built).map_err(PrepareError::from)?;
    Ok((patterns, words))
}

/// Return the progress of building a table, in words.
pub fn how_far(progress: &budget::Progress, table: &str) -> String {
    let grouped = |n: u64| group_digits(u128::from(n));
    format!(
        "distance {}, {} of {}: {table}",
        progress.level,
        grouped(progress.done),
        grouped(progress.total.unwrap_or(0)),
    )
}

/// Tables that may be added up.
fn set(
    sum: &[TableSpec],
    game: &Game,
    building: &Building<'_>,
) -> Result<AdditiveSet, PrepareError> {
    let not_additive = |error: BuildError| match error {
        BuildError::NotAdditive(_) | BuildError::FullCosts(_) => {
            let names: Vec<String> = sum.iter().map(ToString::to_string).collect();
            PrepareError::NotAdditive {
                tables: names.join(" + "),
                error,
            }
        }
        error => error.into(),
    };
    let shown = building.host.begin();
    let names: Vec<String> = sum.iter().map(ToString::to_string).collect();
    let names = names.join(" + ");
    shown.show(&|| format!("preparing {names}"), None);
    let progress = |progress: &budget::Progress| shown.show(&|| how_far(progress, &names), None);
    let options = building.options(&progress);
    let mut tables = Vec::new();
    let mut patterns = Vec::new();
    for table in sum {
        match table {
            TableSpec::File(path) => {
                let opened = PatternDatabase::open_with(path, game, &options)
                    .map_err(|error| PrepareError::of_file(path, error))?;
                let most = building.memory.map_or(u64::MAX, |bytes| bytes as u64);
                tables.push(if opened.n_bytes() <= most {
                    opened.in_memory()
                } else {
                    opened
                });
            }
            TableSpec::Pattern(text) => {
                let pattern = Abstraction::from_pattern(game, text)
                    .map_err(|error| PrepareError::of_pattern(text, &error))?;
                patterns.push(pattern);
            }
        }
    }
    match (tables.is_empty(), &patterns[..]) {
        (_, []) => AdditiveSet::from_tables(game, tables).map_err(not_additive),
        (true, [pattern]) => {
            let table =
                PatternDatabase::build(game, pattern, &options).map_err(PrepareError::from)?;
            AdditiveSet::from_tables(game, vec![table]).map_err(not_additive)
        }
        (true, _) => AdditiveSet::build(game, &patterns, &options).map_err(not_additive),
        (false, _) => Err(PrepareError::FilesAndPatterns),
    }
}
