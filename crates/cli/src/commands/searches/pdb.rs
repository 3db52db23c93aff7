//! `psvn pdb`: pattern databases.

mod made;
mod report;

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use abstraction::Abstraction;
use budget::{Limits, Watch};
use pattern_databases::{AdditiveSet, Options, PatternDatabase, Patterns, Samples, check_samples};

use self::made::{Made, Outputs};
use self::report::{Checked, Report, SizeRow, TableRow, Written};
use crate::args::PdbArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::progress::Progress;
use crate::session::Context;
use psvn::Game;
use psvn::Source;
use psvn::heuristic::table_errors as pdb_failure;

use crate::output::diagnostics;
use crate::session::interrupt;

/// How many walks `--check` makes, and how long each is.
const WALKS: u64 = 200;
const STEPS: u64 = 60;

/// An abstraction with the words that the user called it by.
struct Pattern {
    name: String,
    abstraction: Abstraction,
}

pub(crate) fn run(args: &PdbArgs, cx: &mut Context) -> Result<Exit, Failure> {
    let named = Game::open(&args.file, &cx.env)?;
    let game = named.ir();
    if game.goals().is_empty() {
        return Err(Failure::input(format!(
            "{} has no goal, so there are no distances to it",
            named.name()
        ))
        .hint("add a line such as `GOAL 0 1 2`"));
    }
    let started = Instant::now();
    let interrupt = interrupt::flag(&cx.env);
    let options = || limits(args, &interrupt, started);
    let mut written = Vec::new();
    let (names, tables): (Vec<String>, Vec<Made>) = if args.open.is_empty() {
        let patterns = patterns(args, &named, cx)?;
        if args.size {
            return sizes(args, &named, &patterns, cx);
        }
        let outputs = args.output.as_ref();
        let outputs = outputs.map(|path| Outputs::find(path, patterns.len()));
        let outputs = outputs.transpose()?;
        let mut tables = build(args, &named, &patterns, outputs.as_ref(), &options, cx)?;
        if let Some(outputs) = outputs {
            written = outputs.paths().to_vec();
            made::write_all(&mut tables, outputs, game, &options())?;
        }
        let names = patterns.into_iter().map(|pattern| pattern.name);
        (names.collect(), tables)
    } else {
        let names = args.open.iter().map(|path| path.display().to_string());
        let tables = open(args, &named, &options())?.into_iter();
        (names.collect(), tables.map(Made::from).collect())
    };
    let seconds = started.elapsed().as_secs_f64();
    let tables: Vec<PatternDatabase> = tables.into_iter().map(|made| made.table).collect();
    let rows = names
        .into_iter()
        .zip(&tables)
        .map(|(name, table)| TableRow::new(name, game, table, args.summary));
    let mut report = Report {
        file: named.name().to_owned(),
        tables: rows.collect(),
        written: Written::new(&written, args.additive),
        additive: args.additive,
        not_covered: Vec::new(),
        seconds,
        checked: None,
    };
    let heuristic = if args.additive {
        let set = AdditiveSet::from_tables(game, tables).map_err(pdb_failure::of_building)?;
        report.not_covered = set.not_covered().to_vec();
        Patterns::sum(game, set)
    } else {
        Patterns::maximum(game, tables)
    };
    let heuristic = heuristic.map_err(pdb_failure::of_building)?;
    if args.check {
        let samples = Samples {
            walks: WALKS,
            steps: STEPS,
            seed: cx.env.seed(),
            consistent: heuristic.is_consistent(),
        };
        let known = |state: &psvn_ir::State| heuristic.check_start(game, state).is_ok();
        let found = check_samples(game, &heuristic, samples, known).map_err(|error| {
            Failure::limit(format!("the rules can't be run backwards: {error}"))
        })?;
        report.checked = Some(Checked::from(found));
    }
    report.print(cx)?;
    let mistake = report.checked.and_then(|checked| checked.mistake);
    match mistake {
        None => Ok(Exit::Done),
        Some(mistake) => {
            cx.out.finish()?;
            cx.log.error(&mistake);
            Ok(Exit::No)
        }
    }
}

/// The patterns that the user names; the whole game if there are none.
fn patterns(args: &PdbArgs, named: &Game, cx: &Context) -> Result<Vec<Pattern>, Failure> {
    let game = named.ir();
    let from_text = |text: String| {
        Abstraction::from_pattern(game, &text)
            .map(|abstraction| Pattern {
                name: text.clone(),
                abstraction,
            })
            .map_err(|error| Failure::usage(format!("pattern `{text}`: {error}")))
    };
    let mut patterns = Vec::new();
    for text in &args.pattern {
        patterns.push(from_text(text.clone())?);
    }
    for path in &args.abstraction {
        let mut source = Source::read(path)?;
        match Abstraction::from_file(game, &source.text) {
            Ok(abstraction) => patterns.push(Pattern {
                name: source.name,
                abstraction,
            }),
            Err(found) => {
                source.diagnostics.extend(found);
                diagnostics::print(&source, &cx.log);
                return Err(Failure::reported(Exit::Input));
            }
        }
    }
    for text in &args.project {
        patterns.push(from_text(format!("project {text}"))?);
    }
    if patterns.is_empty() {
        patterns.push(Pattern {
            name: "the whole game".to_owned(),
            abstraction: Abstraction::identity(game),
        });
    }
    Ok(patterns)
}

fn sizes(
    args: &PdbArgs,
    named: &Game,
    patterns: &[Pattern],
    cx: &mut Context,
) -> Result<Exit, Failure> {
    let options = Options::default();
    let abstractions: Vec<Abstraction> = patterns.iter().map(|p| p.abstraction.clone()).collect();
    let sizes = if args.additive {
        AdditiveSet::sizes(named.ir(), &abstractions, &options)
    } else {
        let sizes = abstractions.iter();
        sizes
            .map(|abstraction| PatternDatabase::sizes(named.ir(), abstraction, &options))
            .collect()
    };
    let rows = patterns
        .iter()
        .zip(sizes.map_err(pdb_failure::of_building)?);
    let rows = rows.map(|(pattern, sizes)| SizeRow::new(&pattern.name, sizes));
    report::print_sizes(named.name(), &rows.collect::<Vec<_>>(), cx)?;
    Ok(Exit::Done)
}

/// What building, writing and reading tables may use.
fn limits(args: &PdbArgs, interrupt: &Arc<AtomicBool>, started: Instant) -> Options<'static> {
    Options {
        budget: Watch::since(
            Limits {
                memory: args.memory,
                time: args.time,
                interrupt: Some(Arc::clone(interrupt)),
                ..Limits::default()
            },
            started,
        ),
        ..Options::default()
    }
}

fn build(
    args: &PdbArgs,
    named: &Game,
    patterns: &[Pattern],
    outputs: Option<&Outputs>,
    options: &dyn Fn() -> Options<'static>,
    cx: &Context,
) -> Result<Vec<Made>, Failure> {
    let abstractions: Vec<Abstraction> = patterns.iter().map(|p| p.abstraction.clone()).collect();
    let mut tables = Vec::with_capacity(patterns.len());
    for (number, pattern) in patterns.iter().enumerate() {
        let shown = Mutex::new(Progress::new(cx.progress));
        let progress = |progress: &budget::Progress| {
            let message = || {
                format!(
                    "{}: distance {}, {} of {} ranks",
                    pattern.name,
                    progress.level,
                    progress.done,
                    progress.total.unwrap_or(0)
                )
            };
            // Not all ranks need be reached, so this is no share of the work.
            if let Ok(mut shown) = shown.lock() {
                shown.show(message, None);
            }
        };
        let telling = Options {
            progress: Some(&progress),
            ..options()
        };
        let table = if args.additive {
            AdditiveSet::build_one(named.ir(), &abstractions, number, &telling)
        } else {
            PatternDatabase::build(named.ir(), &pattern.abstraction, &telling)
        };
        let made = Made::from(table.map_err(pdb_failure::of_building)?);
        // Several large tables need not be in memory together: each waits in a file that isn't
        // there yet for others.
        tables.push(match outputs {
            Some(outputs) if patterns.len() > 1 => {
                made.put_aside(named.ir(), &outputs.paths()[number], &options())?
            }
            _ => made,
        });
    }
    Ok(tables)
}

fn open(
    args: &PdbArgs,
    named: &Game,
    options: &Options<'_>,
) -> Result<Vec<PatternDatabase>, Failure> {
    let open = |path: &PathBuf| {
        PatternDatabase::open_with(path, named.ir(), options)
            .map_err(|error| Failure::from(pdb_failure::of_file("use", path, error)))
    };
    args.open.iter().map(open).collect()
}
