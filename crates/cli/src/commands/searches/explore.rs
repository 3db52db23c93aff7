//! `psvn explore`: all states by their distance.

#[cfg(feature = "cluster")]
mod cluster;

use std::io::Write;
use std::time::Duration;

use psvn::store::atomic as atomic_file;
use psvn::text::units::{count, format_bytes, format_seconds, format_work, group_digits};
use psvn::{
    Environment, Error, Exploration, ExplorationReport, ExplorationStorage, ExploredLayer, Game,
    State, StopReason,
};

use psvn::report::{Axis, Plot, PlotKind, Point, Series};

use crate::args::{ExploreArgs, StorageChoice};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{Format, Output};
use crate::session::Context;
use crate::session::interrupt;

/// The columns of the table: wide enough for what a machine can hold, since rows come one by one.
const WIDTHS: [usize; 4] = [5, 16, 17, 16];

pub(crate) fn run(args: &ExploreArgs, cx: &mut Context) -> Result<Exit, Failure> {
    let mut game = Game::open(&args.file, &cx.env)?;
    args.words.apply(&mut game)?;
    let starts = args.start.iter().map(|text| game.state("--start", text));
    let mut starts: Vec<State> = starts.collect::<Result<_, _>>()?;
    for moves in &args.scramble {
        starts.push(game.scramble(moves)?);
    }
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
        symmetries: args.symmetries,
        farthest: args.farthest,
        nodes: args.nodes,
        time: args.time,
        memory: args.memory,
    };
    #[cfg(feature = "cluster")]
    if let Some(seat) = cluster::seat(args, &exploration, &game, cx)? {
        return seat.run(args, &exploration, &game, cx);
    }
    interrupt::flag(&cx.env);
    show(args, &game, &exploration, cx, |env, on_layer| {
        exploration.run(&game, env, on_layer)
    })
}

/// Explore, print each layer when it is complete, and the rest at the end.
fn show(
    args: &ExploreArgs,
    game: &Game,
    exploration: &Exploration,
    cx: &mut Context,
    explore: impl FnOnce(
        &Environment,
        &mut dyn FnMut(&ExploredLayer),
    ) -> Result<ExplorationReport, Error>,
) -> Result<Exit, Failure> {
    let format = cx.format;
    let out = &mut cx.out;
    // What is refused has no table, so its head comes with the first row. An error while a row is
    // printed is reported when the exploration has ended.
    let mut has_head = false;
    let mut printed = Ok(());
    let report = explore(&cx.env, &mut |layer| {
        if !std::mem::replace(&mut has_head, true) {
            printed = print_head(game, exploration, format, out);
        }
        if printed.is_ok() {
            printed = print_layer(layer, format, out);
        }
    })?;
    printed?;
    if !has_head {
        print_head(game, exploration, format, out)?;
    }
    if let Some(path) = &args.output {
        atomic_file::write(path, psvn::report::svg(&plot(&report)).as_bytes())?;
    }
    match format {
        Format::Json => out.json(&report)?,
        Format::Csv => {}
        Format::Text => end(&report, out)?,
    }
    out.finish()?;
    Ok(exit(&report))
}

fn exit(report: &ExplorationReport) -> Exit {
    match report.stopped {
        Some(StopReason::Interrupted) => Exit::Interrupted,
        Some(_) => Exit::Limit,
        None => Exit::Done,
    }
}

fn print_head(
    game: &Game,
    exploration: &Exploration,
    format: Format,
    out: &mut Output,
) -> Result<(), Failure> {
    match format {
        Format::Json => Ok(()),
        Format::Csv => {
            let columns = ["distance", "states", "total", "seconds", "orbits"];
            let n_columns = if exploration.symmetries { 5 } else { 4 };
            out.csv(&columns[..n_columns])?;
            out.finish()
        }
        Format::Text => {
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
            let columns = ["moves", "states", "total", "orbits"].map(str::to_owned);
            let n_columns = if exploration.symmetries { 4 } else { 3 };
            writeln!(out, "{}", row(&columns[..n_columns]))?;
            out.finish()
        }
    }
}

/// A row of the table, in columns of fixed widths.
fn row(cells: &[String]) -> String {
    let cells = cells.iter().zip(WIDTHS);
    cells
        .map(|(cell, width)| format!("  {cell:>width$}"))
        .collect()
}

/// Print a layer, and hand it on at once.
fn print_layer(layer: &ExploredLayer, format: Format, out: &mut Output) -> Result<(), Failure> {
    let numbers = [layer.distance, layer.states, layer.total];
    match format {
        Format::Json => return Ok(()),
        Format::Csv => {
            let mut cells: Vec<String> = numbers.iter().map(u64::to_string).collect();
            cells.push(format!("{:.3}", layer.seconds));
            cells.extend(layer.orbits.map(|orbits| orbits.to_string()));
            out.csv(cells)?;
        }
        Format::Text => {
            let numbers = numbers.into_iter().chain(layer.orbits);
            let cells: Vec<String> = numbers.map(grouped).collect();
            writeln!(out, "{}", row(&cells))?;
        }
    }
    out.finish()
}

fn grouped(number: u64) -> String {
    group_digits(u128::from(number))
}

/// The states by distance, and the orbits where symmetries count.
fn plot(found: &ExplorationReport) -> Plot {
    let bars = |name: &str, count: fn(&ExploredLayer) -> Option<u64>| {
        let bar = |layer: &ExploredLayer| {
            let count = count(layer)?;
            Some(Point {
                x: layer.distance as f64,
                y: count as f64,
                label: format!("{} moves: {count} {name}", layer.distance),
                is_limited: false,
            })
        };
        let points: Vec<Point> = found.layers.iter().filter_map(bar).collect();
        let name = name.to_owned();
        (!points.is_empty()).then_some(Series { name, points })
    };
    let series = [
        bars("states", |layer| Some(layer.states)),
        bars("orbits", |layer| layer.orbits),
    ];
    let from = match found.starts.len() {
        0 => "to a goal",
        _ => "from the start",
    };
    Plot {
        title: found.file.clone(),
        caption: format!("{} states by the number of moves {from}", found.states),
        kind: PlotKind::Bars,
        x: Axis {
            title: "moves".to_owned(),
            is_log: false,
        },
        y: Axis {
            title: "states".to_owned(),
            is_log: false,
        },
        series: series.into_iter().flatten().collect(),
    }
}

fn end(report: &ExplorationReport, out: &mut Output) -> Result<(), Failure> {
    let last = report.layers.len().saturating_sub(1);
    writeln!(out)?;
    match report.stopped {
        None if report.complete => {
            writeln!(
                out,
                "All {} states are at most {} away",
                grouped(report.states),
                count(last, "move")
            )?;
        }
        None => writeln!(
            out,
            "{} states are at most {} away",
            grouped(report.states),
            count(last, "move")
        )?,
        Some(reason) => {
            let beyond = match report.beyond {
                0 => String::new(),
                n => format!("; {} or more states at distance {}", grouped(n), last + 1),
            };
            writeln!(
                out,
                "Stopped, since {}. {} states are at most {} away{beyond}",
                reason.clause(),
                grouped(report.states),
                count(last, "move"),
            )?;
        }
    }
    for state in &report.farthest {
        writeln!(out, "  {}: {state}", count(last, "move"))?;
    }
    writeln!(out, "  stored: {}", report.storage_description)?;
    if let Some(distance) = report.resumed_from {
        writeln!(
            out,
            "  went on from distance {distance}, which was complete"
        )?;
    }
    if matches!(report.storage.as_str(), "disk" | "cluster") {
        let bytes = |bytes: u64| format_bytes(u128::from(bytes));
        let (read, written) = (bytes(report.bytes_read), bytes(report.bytes_written));
        write!(out, "  read {read}, wrote {written}")?;
        match report.processes {
            1 => writeln!(out)?,
            _ => writeln!(out, ", sent {}", bytes(report.bytes_sent))?,
        }
    }
    let elapsed = Duration::from_secs_f64(report.seconds);
    // By rank, moves to known states are not counted.
    let work = match report.storage.as_str() {
        "ranked" => {
            let states = grouped(report.states);
            format!("{states} states in {}", format_seconds(elapsed))
        }
        _ => format_work(u128::from(report.generated), elapsed),
    };
    writeln!(
        out,
        "  {work}, {}",
        format_bytes(u128::from(report.peak_bytes))
    )?;
    Ok(())
}
