//! Pattern databases: built, written, opened, measured, and checked.

mod coordinates;
mod figures;
mod files;
pub mod names;
mod pattern;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use abstraction::Abstraction;
use budget::{Limits, Watch};
use heuristics::Combined;
use heuristics::check::{CheckError, Sample, sampled};
use host::{Host, HostExt};
use invariants::Invariants;
use pattern_databases::{
    AdditiveSet, CoordinateTable, Options, PatternDatabase, Patterns, Sizes, TablePlan,
};
use psvn_ir::{Game, NamedGame};

use self::files::{Made, Outputs};
use crate::PrepareError as Error;
use crate::specified::how_far;

pub use self::figures::{
    DistanceCount, TableCheck, TableFigures, TableSize, TablesReport, WrittenTables,
};
pub use self::pattern::Pattern;

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
/// use heuristic_choice::NoHost;
/// use heuristic_choice::tables::{Pattern, PatternTables, TableOptions};
/// use psvn_ir::NamedGame;
///
/// let text = domains::generate("sliding-tiles", &["2", "3"])?;
/// let game = psvn_ir::load(&text).game.ok_or("a game without errors")?;
/// let (of, host) = (NamedGame { game: &game, name: "tiles" }, NoHost::default());
/// let pattern = Pattern::parse(&game, "keep 0 1 2")?;
/// let tables = PatternTables::build(of, &[pattern], None, TableOptions::default(), &host)?;
/// let report = tables.report(of, false, true, &host)?;
/// assert_eq!(report.tables[0].entries, 120);
/// assert!(report.checked.is_some_and(|checked| checked.mistake.is_none()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
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
        of: NamedGame<'_>,
        patterns: &[Pattern],
        output: Option<&Path>,
        options: TableOptions,
        host: &dyn Host,
    ) -> Result<Self, Error> {
        need_goal(of)?;
        let game = of.game;
        let started = Instant::now();
        let outputs = output.map(|path| Outputs::find(path, patterns.len()));
        let outputs = outputs.transpose()?;
        if let Some((name, pattern)) = coordinates::only(patterns, &options)? {
            let limits = limits(&options, host, started);
            return coordinates::build(game, (name, pattern), outputs, &limits, host, started);
        }
        let limits = || limits(&options, host, started);
        let mut tables = build(game, patterns, outputs.as_ref(), &options, &limits, host)?;
        let mut written = Vec::new();
        if let Some(outputs) = outputs {
            written = outputs.paths().to_vec();
            files::write_all(&mut tables, outputs, game, &limits())?;
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
        of: NamedGame<'_>,
        paths: &[PathBuf],
        options: TableOptions,
        host: &dyn Host,
    ) -> Result<Self, Error> {
        need_goal(of)?;
        let game = of.game;
        let started = Instant::now();
        let limits = limits(&options, host, started);
        if let [path] = paths
            && CoordinateTable::is_file(path)
        {
            return coordinates::open(game, path, &limits, host, started);
        }
        let open = |path: &PathBuf| {
            host.compute(|| PatternDatabase::open_with(path, game, &limits))
                .map_err(|error| Error::of_file(path, error))
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
        of: NamedGame<'_>,
        patterns: &[Pattern],
        options: TableOptions,
    ) -> Result<Vec<TableSize>, Error> {
        need_goal(of)?;
        let game = of.game;
        if let Some((name, pattern)) = coordinates::only(patterns, &options)? {
            return Ok(vec![coordinates::size(game, name, pattern)?]);
        }
        Ok(patterns
            .iter()
            .zip(sizes(game, patterns, &options, None)?)
            .map(|(pattern, sizes)| TableSize::new(&pattern.name, sizes))
            .collect())
    }

    /// Return the time that it took to build, write or open them.
    pub fn elapsed(&self) -> Duration {
        self.elapsed
    }

    /// Return the tables' figures alone; see [`combined`](Self::combined).
    ///
    /// # Errors
    /// As [`combined`](Self::combined).
    pub fn report(
        self,
        of: NamedGame<'_>,
        with_distribution: bool,
        with_check: bool,
        host: &dyn Host,
    ) -> Result<TablesReport, Error> {
        let combined = self.combined(of, with_distribution, with_check, host);
        combined.map(|(report, _)| report)
    }

    /// Return the tables' figures, with the entries by distance if requested, and the estimate that
    /// the tables make. With a check, compare estimates along random walks from goals, and with
    /// those one step further.
    ///
    /// # Errors
    /// When the tables can't be added up although requested, or the rules can't be run backward for
    /// the check. A mistake that the check finds isn't an error.
    pub fn combined(
        self,
        of: NamedGame<'_>,
        with_distribution: bool,
        with_check: bool,
        host: &dyn Host,
    ) -> Result<(TablesReport, Combined), Error> {
        let game = of.game;
        let words = self.names.join(if self.additive { "+" } else { ", " });
        let rows =
            self.names.iter().zip(&self.tables).map(|(name, table)| {
                TableFigures::new(name.clone(), game, table, with_distribution)
            });
        let coordinates = self
            .coordinates
            .iter()
            .map(|table| coordinates::figures(self.names.concat(), table, with_distribution));
        let mut report = TablesReport {
            file: of.name.to_owned(),
            tables: rows.chain(coordinates).collect(),
            written: WrittenTables::new(&self.written, self.additive),
            additive: self.additive,
            not_covered: Vec::new(),
            seconds: self.elapsed.as_secs_f64(),
            checked: None,
        };
        let (heuristic, not_covered) = self.patterns(game)?;
        report.not_covered = not_covered;
        if with_check {
            let sample = Sample {
                seed: host.seed(),
                n_walks: WALKS,
                length: STEPS,
            };
            let known = |state: &psvn_ir::State| heuristic.check_start(game, state).is_ok();
            report.checked = match sampled(game, &heuristic, known, &sample) {
                Ok(findings) => Some(TableCheck::new(&findings, heuristic.is_consistent())),
                // There is nothing to compare with.
                Err(CheckError::NoGoal) => Some(TableCheck::default()),
                Err(error) => return Err(Error::Check(error)),
            };
        }
        Ok((report, Combined::new(None, heuristic, words)))
    }

    /// Combine the tables into one heuristic, their sum where they are additive or else the
    /// greatest of them, and return the values that no pattern of a sum pays for.
    fn patterns(self, game: &Game) -> Result<(Patterns, Vec<String>), Error> {
        if let Some(table) = self.coordinates {
            let heuristic = Patterns::of_coordinates(game, table);
            return Ok((heuristic.map_err(Error::Build)?, Vec::new()));
        }
        let mut not_covered = Vec::new();
        let heuristic = if self.additive {
            let set = AdditiveSet::from_tables(game, self.tables);
            let set = set.map_err(Error::Build)?;
            not_covered = set.not_covered().to_vec();
            Patterns::sum(game, set)
        } else {
            Patterns::maximum(game, self.tables)
        };
        let heuristic = heuristic.map_err(Error::Build)?;
        Ok((heuristic, not_covered))
    }
}

impl PatternTables {
    /// Prepare the table of a pattern for processes that build it together. A file that can't be
    /// written is refused before.
    ///
    /// # Errors
    /// When the game has no goal, costs are to be shared, the file can't be written, or the
    /// abstract game is too large.
    pub fn plan_one(
        of: NamedGame<'_>,
        pattern: &Pattern,
        output: Option<&Path>,
        options: TableOptions,
        host: &dyn Host,
    ) -> Result<TablePlan, Error> {
        need_goal(of)?;
        let game = of.game;
        if options.additive {
            return Err(Error::SharedCostsTogether);
        }
        if pattern.coordinates.is_some() {
            return Err(Error::CoordinatesTogether);
        }
        if let Some(path) = output {
            Outputs::find(path, 1)?;
        }
        let limits = limits(&options, host, Instant::now());
        let plan = TablePlan::new(game, &pattern.abstraction, &limits);
        plan.map_err(Error::Build)
    }

    /// Take a table that several processes built, and write it to a file if there is one.
    ///
    /// # Errors
    /// When the file can't be written.
    pub fn of_one(
        game: &Game,
        pattern: &Pattern,
        table: PatternDatabase,
        output: Option<&Path>,
        options: TableOptions,
        host: &dyn Host,
        started: Instant,
    ) -> Result<Self, Error> {
        let mut made = vec![Made::from(table)];
        let mut written = Vec::new();
        if let Some(path) = output {
            let outputs = Outputs::find(path, 1)?;
            written = outputs.paths().to_vec();
            let limits = limits(&options, host, started);
            files::write_all(&mut made, outputs, game, &limits)?;
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

fn need_goal(of: NamedGame<'_>) -> Result<(), Error> {
    if of.game.goals().is_empty() {
        let game = of.name.to_owned();
        return Err(Error::NoGoal { game });
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
        AdditiveSet::sizes(game, &abstractions, &standard)
    } else {
        abstractions
            .iter()
            .map(|abstraction| PatternDatabase::sizes(game, abstraction, &standard))
            .collect()
    };
    sizes.map_err(Error::Build)
}

fn abstractions(patterns: &[Pattern]) -> Vec<Abstraction> {
    patterns
        .iter()
        .map(|pattern| pattern.abstraction.clone())
        .collect()
}

/// Limits for building, writing and reading tables.
fn limits(options: &TableOptions, host: &dyn Host, started: Instant) -> Options<'static> {
    Options {
        budget: Watch::since(
            host.limits(&Limits {
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
    host: &dyn Host,
) -> Result<Vec<Made>, Error> {
    let abstractions = abstractions(patterns);
    let mut tables = Vec::with_capacity(patterns.len());
    let known = Some(Invariants::from_goals_unless(game, &|| host.is_over()));
    let of_order = Options {
        invariants: known.clone(),
        ..limits()
    };
    for number in building_order(game, patterns, options, &of_order)? {
        let pattern = &patterns[number];
        let shown = host.begin();
        let progress = |progress: &budget::Progress| {
            // Not all ranks need be reached, so this isn't a share of the work.
            shown.show(&|| how_far(progress, &pattern.name), None);
        };
        let reporting = Options {
            progress: Some(&progress),
            invariants: known.clone(),
            ..limits()
        };
        let table = host.compute(|| {
            if options.additive {
                AdditiveSet::build_one(game, &abstractions, number, &reporting)
            } else {
                PatternDatabase::build(game, &pattern.abstraction, &reporting)
            }
        });
        let refused = |error| match patterns.len() {
            1 => Error::Build(error),
            _ => Error::OfPattern {
                pattern: pattern.name.clone(),
                error,
            },
        };
        let made = Made::from(table.map_err(refused)?);
        // Several large tables need not be in memory together: each waits in an unfinished file.
        let made = match outputs {
            Some(outputs) if patterns.len() > 1 => {
                let path = &outputs.paths()[number];
                host.compute(|| made.put_aside(game, path, &limits()))?
            }
            _ => made,
        };
        tables.push((number, made));
    }
    tables.sort_by_key(|(number, _)| *number);
    Ok(tables.into_iter().map(|(_, made)| made).collect())
}
