//! `psvn explore`: all states by their distance.

use std::io::Write;
use std::time::Duration;

use psvn::State;
use psvn::text::units::{format_bytes, format_seconds, format_work};
use psvn::{Exploration, ExplorationReport, ExplorationStorage, ExploredLayer, Game, StopReason};

use crate::args::{ExploreArgs, StorageChoice};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{Format, Output};
use crate::session::Context;
use crate::session::interrupt;

/// The columns of the table: wide enough for what a machine can hold, since rows come one by one.
const WIDTHS: (usize, usize, usize) = (5, 16, 17);

pub(crate) fn run(args: &ExploreArgs, cx: &mut Context) -> Result<Exit, Failure> {
    let mut game = Game::open(&args.file, &cx.env)?;
    args.words.apply(&mut game)?;
    let starts = args.start.iter().map(|text| game.state("--start", text));
    let mut starts: Vec<State> = starts.collect::<Result<_, _>>()?;
    if starts.is_empty() {
        starts.extend(game.declared_start()?);
    }
    let exploration = Exploration {
        starts,
        depth: args.depth,
        storage: match (&args.disk, args.storage) {
            (Some(folder), _) => ExplorationStorage::Disk(folder.clone()),
            (None, StorageChoice::Auto) => ExplorationStorage::Automatic,
            (None, StorageChoice::Ranked) => ExplorationStorage::Ranked,
            (None, StorageChoice::Memory) => ExplorationStorage::Memory,
        },
        farthest: args.farthest,
        nodes: args.nodes,
        time: args.time,
        memory: args.memory,
    };
    interrupt::flag(&cx.env);
    begin(&game, &exploration, cx)?;
    let format = cx.format;
    let out = &mut cx.out;
    // An error while a row is printed is told when the exploration has ended.
    let mut printed = Ok(());
    let report = exploration.run(&game, &cx.env, &mut |layer| {
        if printed.is_ok() {
            printed = print_layer(layer, format, out);
        }
    })?;
    printed?;
    match format {
        Format::Json => out.json(&report)?,
        Format::Csv => {}
        Format::Text => end(&report, out)?,
    }
    out.finish()?;
    Ok(match report.stopped {
        Some(StopReason::Interrupted) => Exit::Interrupted,
        Some(_) => Exit::Limit,
        None => Exit::Done,
    })
}

fn begin(game: &Game, exploration: &Exploration, cx: &mut Context) -> Result<(), Failure> {
    match cx.format {
        Format::Json => Ok(()),
        Format::Csv => {
            cx.out.csv(["distance", "states", "total", "seconds"])?;
            cx.out.finish()
        }
        Format::Text => {
            let out = &mut cx.out;
            match exploration.starts.len() {
                0 => {
                    writeln!(out, "{}, from the goals", game.name())?;
                    writeln!(out, "States by the number of moves to a goal\n")?;
                }
                n => {
                    let states = if n == 1 {
                        "the start".to_owned()
                    } else {
                        format!("{n} starts")
                    };
                    writeln!(out, "{}, from {states}", game.name())?;
                    writeln!(out, "States by the number of moves from there\n")?;
                }
            }
            let (moves, states, total) = WIDTHS;
            writeln!(
                out,
                "  {:>moves$}  {:>states$}  {:>total$}",
                "moves", "states", "total"
            )?;
            out.finish()
        }
    }
}

/// Print a layer, and hand it on at once.
fn print_layer(layer: &ExploredLayer, format: Format, out: &mut Output) -> Result<(), Failure> {
    match format {
        Format::Json => return Ok(()),
        Format::Csv => out.csv([
            layer.distance.to_string(),
            layer.states.to_string(),
            layer.total.to_string(),
            format!("{:.3}", layer.seconds),
        ])?,
        Format::Text => {
            let (moves, states, total) = WIDTHS;
            writeln!(
                out,
                "  {:>moves$}  {:>states$}  {:>total$}",
                layer.distance, layer.states, layer.total
            )?;
        }
    }
    out.finish()
}

fn end(report: &ExplorationReport, out: &mut Output) -> Result<(), Failure> {
    let last = report.layers.len().saturating_sub(1);
    writeln!(out)?;
    match report.stopped {
        None if report.complete => {
            writeln!(
                out,
                "All {} states are at most {last} moves away",
                report.states
            )?;
        }
        None => writeln!(
            out,
            "{} states are at most {last} moves away",
            report.states
        )?,
        Some(reason) => {
            let beyond = match report.beyond {
                0 => String::new(),
                n => format!("; {n} or more states at distance {}", last + 1),
            };
            writeln!(
                out,
                "Stopped, since {}. {} states are at most {last} moves away{beyond}",
                reason.clause(),
                report.states,
            )?;
        }
    }
    for state in &report.farthest {
        writeln!(out, "  {last} moves: {state}")?;
    }
    writeln!(out, "  stored: {}", report.storage_description)?;
    if let Some(distance) = report.resumed_from {
        writeln!(
            out,
            "  went on from distance {distance}, which was complete"
        )?;
    }
    if report.storage == "disk" {
        writeln!(
            out,
            "  read {}, wrote {}",
            format_bytes(u128::from(report.bytes_read)),
            format_bytes(u128::from(report.bytes_written)),
        )?;
    }
    let elapsed = Duration::from_secs_f64(report.seconds);
    // By rank, moves to known states are not counted.
    let work = match report.storage.as_str() {
        "ranked" => format!("{} states in {}", report.states, format_seconds(elapsed)),
        _ => format_work(u128::from(report.generated), elapsed),
    };
    writeln!(
        out,
        "  {work}, {}",
        format_bytes(u128::from(report.peak_bytes))
    )?;
    Ok(())
}
