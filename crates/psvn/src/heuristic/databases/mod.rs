//! Pattern databases: built, written, opened, measured, and checked.

mod abstracted;
mod coordinates;
mod figures;
mod files;
mod patterns;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use abstraction::Abstraction;
#[cfg(feature = "cluster")]
use budget::StopReason;
use budget::{Limits, Watch};
use heuristic_choice::how_far;
use heuristics::Combined;
use heuristics::check::{CheckError, Sample, sampled};
use invariants::Invariants;
use pattern_databases::{AdditiveSet, CoordinateTable, Options, PatternDatabase, Patterns, Sizes};
#[cfg(feature = "cluster")]
use pattern_databases::{BuildError, TablePlan};

use self::files::{Made, Outputs};
use super::{Heuristic, table_errors};
use crate::environment::Environment;
use crate::error::Error;
use crate::game::Game;

pub use self::abstracted::AbstractedGame;
pub use self::figures::{
    DistanceCount, TableCheck, TableFigures, TableSize, TablesReport, WrittenTables,
};
pub use self::patterns::Pattern;

/// The number of walks of a check, and the length of each.
const WALKS: usize = 200;
const STEPS: usize = 60;

/// Options for building, writing and opening tables.
#[derive(Clone, Debug, Default)]
pub struct TableOptions {
    /// Whether costs are shared among the patterns, so that the sum of the tables is a lower bound.
    pub additive: bool,
    /// The time, and the bytes that are held, also while a table is built. A flag that
    /// interrupts takes the place of the environment's cancellation.
    pub limits: Limits,
}

/// Pattern databases of a game.
///
/// ```
/// use psvn::heuristic::{Pattern, PatternTables, TableOptions};
/// use psvn::{Environment, Game};
///
/// let env = Environment::default();
/// let game = Game::built_in("sliding-tiles:2:3", &env)?;
/// let pattern = Pattern::parse(&game, "keep 0 1 2")?;
/// let tables = PatternTables::build(&game, &[pattern], None, TableOptions::default(), &env)?;
/// let report = tables.report(&game, false, true, &env)?;
/// assert_eq!(report.tables[0].entries, 120);
/// assert!(report.checked.is_some_and(|checked| checked.mistake.is_none()));
/// # Ok::<(), psvn::Error>(())
/// ```
pub struct PatternTables {
    names: Vec<String>,
    tables: Vec<PatternDatabase>,
    /// A table of coordinates, in place of others.
    coordinates: Option<CoordinateTable>,
    written: Vec<PathBuf>,
    additive: bool,
    elapsed: Duration,
}

impl PatternTables {
    /// Build a table for each pattern. With an output, write one table to this file, or several to
    /// `NAME-1.pdb`, `NAME-2.pdb` and so on, all of them or none.
    ///
    /// # Errors
    /// When the game has no goal, a table is larger than a limit allows, costs can't be shared as
    /// requested, a file can't be written, or the work is cancelled.
    pub fn build(
        game: &Game,
        patterns: &[Pattern],
        output: Option<&Path>,
        options: TableOptions,
        env: &Environment,
    ) -> Result<Self, Error> {
        need_goal(game)?;
        let started = Instant::now();
        let outputs = output.map(|path| Outputs::find(path, patterns.len()));
        let outputs = outputs.transpose()?;
        if let Some((name, pattern)) = coordinates::only(patterns, &options)? {
            let limits = limits(&options, env, started);
            return coordinates::build(game, (name, pattern), outputs, &limits, env, started);
        }
        let limits = || limits(&options, env, started);
        let mut tables = build(game, patterns, outputs.as_ref(), &options, &limits, env)?;
        let mut written = Vec::new();
        if let Some(outputs) = outputs {
            written = outputs.paths().to_vec();
            files::write_all(&mut tables, outputs, game.ir(), &limits())?;
        }
        Ok(Self {
            names: patterns
                .iter()
                .map(|pattern| pattern.name.clone())
                .collect(),
            tables: tables.into_iter().map(|made| made.table).collect(),
            coordinates: None,
            written,
            additive: options.additive,
            elapsed: started.elapsed(),
        })
    }

    /// Open tables that were written before.
    ///
    /// # Errors
    /// When the game has no goal, or a file can't be read, is damaged, or belongs to another game.
    pub fn open(
        game: &Game,
        paths: &[PathBuf],
        options: TableOptions,
        env: &Environment,
    ) -> Result<Self, Error> {
        need_goal(game)?;
        let started = Instant::now();
        let limits = limits(&options, env, started);
        if let [path] = paths
            && CoordinateTable::is_file(path)
        {
            return coordinates::open(game, path, &limits, env, started);
        }
        let open = |path: &PathBuf| {
            env.install(|| PatternDatabase::open_with(path, game.ir(), &limits))
                .map_err(|error| table_errors::of_file("use", path, error))
        };
        Ok(Self {
            names: paths
                .iter()
                .map(|path| path.display().to_string())
                .collect(),
            tables: paths.iter().map(open).collect::<Result<_, _>>()?,
            coordinates: None,
            written: Vec::new(),
            additive: options.additive,
            elapsed: started.elapsed(),
        })
    }

    /// Compute how large the tables for some patterns would be, and build nothing.
    ///
    /// # Errors
    /// When the game has no goal, an abstract game is too large, or costs can't be shared as
    /// requested.
    pub fn sizes(
        game: &Game,
        patterns: &[Pattern],
        options: TableOptions,
    ) -> Result<Vec<TableSize>, Error> {
        need_goal(game)?;
        if let Some((name, pattern)) = coordinates::only(patterns, &options)? {
            return Ok(vec![coordinates::size(game, name, pattern)?]);
        }
        Ok(patterns
            .iter()
            .zip(sizes(game, patterns, &options, None)?)
            .map(|(pattern, sizes)| TableSize::new(&pattern.name, sizes))
            .collect())
    }

    /// Return the tables' figures, with the entries by distance if requested. With a check, compare
    /// estimates along random walks from goals, and with those one step further.
    ///
    /// # Errors
    /// When the tables can't be added up although requested, or the rules can't be run backward for
    /// the check. A mistake that the check finds isn't an error.
    pub fn report(
        self,
        game: &Game,
        with_distribution: bool,
        with_check: bool,
        env: &Environment,
    ) -> Result<TablesReport, Error> {
        self.heuristic(game, with_distribution, with_check, env)
            .map(|(report, _)| report)
    }

    /// Return the same figures, and the heuristic that the tables make.
    ///
    /// # Errors
    /// As [`report`](Self::report).
    pub fn heuristic(
        self,
        game: &Game,
        with_distribution: bool,
        with_check: bool,
        env: &Environment,
    ) -> Result<(TablesReport, Heuristic), Error> {
        let elapsed = self.elapsed;
        let words = self.names.join(if self.additive { "+" } else { ", " });
        let rows = self.names.iter().zip(&self.tables).map(|(name, table)| {
            TableFigures::new(name.clone(), game.ir(), table, with_distribution)
        });
        let coordinates = self
            .coordinates
            .iter()
            .map(|table| coordinates::figures(self.names.concat(), table, with_distribution));
        let mut report = TablesReport {
            file: game.name().to_owned(),
            tables: rows.chain(coordinates).collect(),
            written: WrittenTables::new(&self.written, self.additive),
            additive: self.additive,
            not_covered: Vec::new(),
            seconds: self.elapsed.as_secs_f64(),
            checked: None,
        };
        let (heuristic, not_covered) = self.combined(game)?;
        report.not_covered = not_covered;
        if with_check {
            let sample = Sample {
                seed: env.seed(),
                n_walks: WALKS,
                length: STEPS,
            };
            let game = game.ir();
            let known = |state: &psvn_ir::State| heuristic.check_start(game, state).is_ok();
            report.checked = match sampled(game, &heuristic, known, &sample) {
                Ok(findings) => Some(TableCheck::new(&findings, heuristic.is_consistent())),
                // There is nothing to compare with.
                Err(CheckError::NoGoal) => Some(TableCheck::default()),
                Err(error) => return Err(Error::limit(error.to_string())),
            };
        }
        let heuristic = Heuristic::named(Combined::new(None, heuristic, words), elapsed);
        Ok((report, heuristic))
    }

    /// Combine the tables into one heuristic, their sum where they are additive or else the
    /// greatest of them, and return the values that no pattern of a sum pays for.
    fn combined(self, game: &Game) -> Result<(Patterns, Vec<String>), Error> {
        let game = game.ir();
        if let Some(table) = self.coordinates {
            let heuristic = Patterns::of_coordinates(game, table);
            return Ok((heuristic.map_err(table_errors::of_building)?, Vec::new()));
        }
        let mut not_covered = Vec::new();
        let heuristic = if self.additive {
            let set = AdditiveSet::from_tables(game, self.tables);
            let set = set.map_err(table_errors::of_building)?;
            not_covered = set.not_covered().to_vec();
            Patterns::sum(game, set)
        } else {
            Patterns::maximum(game, self.tables)
        };
        let heuristic = heuristic.map_err(table_errors::of_building)?;
        Ok((heuristic, not_covered))
    }
}

#[cfg(feature = "cluster")]
impl PatternTables {
    /// Prepare the table of a pattern for processes that build it together. A file that can't be
    /// written is refused before.
    pub(crate) fn plan_one(
        game: &Game,
        pattern: &Pattern,
        output: Option<&Path>,
        options: TableOptions,
        env: &Environment,
    ) -> Result<TablePlan, Error> {
        need_goal(game)?;
        if options.additive {
            let message = "several processes build tables of full costs, not of shared ones";
            return Err(Error::usage(message));
        }
        if pattern.coordinates.is_some() {
            let message = "several processes build tables of abstractions, not of coordinates";
            return Err(Error::usage(message));
        }
        if let Some(path) = output {
            Outputs::find(path, 1)?;
        }
        let limits = limits(&options, env, Instant::now());
        let plan = TablePlan::new(game.ir(), &pattern.abstraction, &limits);
        plan.map_err(table_errors::of_building)
    }

    /// The error for a limit that stopped the building.
    pub(crate) fn stopped(reason: StopReason) -> Error {
        table_errors::of_building(BuildError::Stopped(reason))
    }

    /// A table that several processes built, written to a file if there is one.
    pub(crate) fn of_one(
        game: &Game,
        pattern: &Pattern,
        table: PatternDatabase,
        output: Option<&Path>,
        options: TableOptions,
        env: &Environment,
        started: Instant,
    ) -> Result<Self, Error> {
        let mut made = vec![Made::from(table)];
        let mut written = Vec::new();
        if let Some(path) = output {
            let outputs = Outputs::find(path, 1)?;
            written = outputs.paths().to_vec();
            let limits = limits(&options, env, started);
            files::write_all(&mut made, outputs, game.ir(), &limits)?;
        }
        Ok(Self {
            names: vec![pattern.name.clone()],
            tables: made.into_iter().map(|made| made.table).collect(),
            coordinates: None,
            written,
            additive: false,
            elapsed: started.elapsed(),
        })
    }
}

fn need_goal(game: &Game) -> Result<(), Error> {
    if game.ir().goals().is_empty() {
        return Err(Error::input(format!(
            "{} has no goal, so there are no distances to it",
            game.name()
        ))
        .with_hint("add a line such as `GOAL 0 1 2`"));
    }
    Ok(())
}

/// The order in which tables are built: first those that seem not to fit, so that they are refused
/// before time is spent on others.
fn building_order(
    game: &Game,
    patterns: &[Pattern],
    options: &TableOptions,
    limits: &Options<'_>,
) -> Result<Vec<usize>, Error> {
    let mut order: Vec<usize> = (0..patterns.len()).collect();
    if patterns.len() > 1 {
        let sizes = sizes(game, patterns, options, limits.invariants.clone())?;
        order.sort_by_key(|number| sizes[*number].check_memory(limits).is_ok());
    }
    Ok(order)
}

/// The sizes of the tables for some patterns.
fn sizes(
    game: &Game,
    patterns: &[Pattern],
    options: &TableOptions,
    invariants: Option<Invariants>,
) -> Result<Vec<Sizes>, Error> {
    let abstractions = abstractions(patterns);
    let standard = Options {
        invariants,
        ..Options::default()
    };
    let sizes = if options.additive {
        AdditiveSet::sizes(game.ir(), &abstractions, &standard)
    } else {
        abstractions
            .iter()
            .map(|abstraction| PatternDatabase::sizes(game.ir(), abstraction, &standard))
            .collect()
    };
    sizes.map_err(table_errors::of_building)
}

fn abstractions(patterns: &[Pattern]) -> Vec<Abstraction> {
    patterns
        .iter()
        .map(|pattern| pattern.abstraction.clone())
        .collect()
}

/// Limits for building, writing and reading tables.
fn limits(options: &TableOptions, env: &Environment, started: Instant) -> Options<'static> {
    Options {
        budget: Watch::since(
            env.limits(&Limits {
                nodes: None,
                ..options.limits.clone()
            }),
            started,
        ),
        ..Options::default()
    }
}

fn build(
    game: &Game,
    patterns: &[Pattern],
    outputs: Option<&Outputs>,
    options: &TableOptions,
    limits: &(dyn Fn() -> Options<'static> + Sync),
    env: &Environment,
) -> Result<Vec<Made>, Error> {
    let abstractions = abstractions(patterns);
    let mut tables = Vec::with_capacity(patterns.len());
    let known = Some(env.invariants_of_goals(game.ir()));
    let of_order = Options {
        invariants: known.clone(),
        ..limits()
    };
    for number in building_order(game, patterns, options, &of_order)? {
        let pattern = &patterns[number];
        let shown = env.begin();
        let progress = |progress: &budget::Progress| {
            // Not all ranks need be reached, so this isn't a share of the work.
            shown.show(|| how_far(progress, &pattern.name), None);
        };
        let reporting = Options {
            progress: Some(&progress),
            invariants: known.clone(),
            ..limits()
        };
        let table = env.install(|| {
            if options.additive {
                AdditiveSet::build_one(game.ir(), &abstractions, number, &reporting)
            } else {
                PatternDatabase::build(game.ir(), &pattern.abstraction, &reporting)
            }
        });
        let refused = |error| match patterns.len() {
            1 => table_errors::of_building(error),
            _ => table_errors::of_building(error).about(&format!("{}: ", pattern.name)),
        };
        let made = Made::from(table.map_err(refused)?);
        // Several large tables need not be in memory together: each waits in an unfinished file.
        let made = match outputs {
            Some(outputs) if patterns.len() > 1 => {
                let path = &outputs.paths()[number];
                env.install(|| made.put_aside(game.ir(), path, &limits()))?
            }
            _ => made,
        };
        tables.push((number, made));
    }
    tables.sort_by_key(|(number, _)| *number);
    Ok(tables.into_iter().map(|(_, made)| made).collect())
}
