//! `psvn explore`: all states by their distance.

#[cfg(feature = "cluster")]
mod cluster;

use std::io::Write;
use std::path::Path;

use psvn::Limits;
use psvn::certificate::certificate_of_greatest_cost;
#[cfg(feature = "experiments")]
use psvn::store::atomic as atomic_file;
use psvn::store::atomic::{Target, cannot_write};
use psvn::{
    Environment, Error, Exploration, ExplorationReport, ExplorationStorage, ExploredLayer, Game,
    State,
};

use crate::args::{ExploreArgs, StorageChoice};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::ending::{SVG, form_of};
use crate::output::{Format, Output};
use crate::session::Context;
use crate::session::interrupt;
#[cfg(feature = "experiments")]
use crate::show::exploration_plot;
use crate::show::{Show, exploration};

pub(crate) fn run(args: &ExploreArgs, cx: &mut Context) -> Result<Exit, Failure> {
    let mut game = Game::open(&args.file, &cx.env)?;
    args.words.apply(&mut game)?;
    // The invariants that a pattern is read by are those of the goals as they are written.
    let starts = args.start.iter();
    let starts = starts.map(|text| game.states_matching("--start", text, &cx.env));
    let starts: Vec<Vec<State>> = starts.collect::<Result<_, _>>()?;
    let mut starts = starts.concat();
    let game = args.variation.apply(game)?;
    for moves in &args.scramble {
        starts.push(game.scramble(moves)?);
    }
    let names_goals = args.variation.has_goals();
    let seeks_goals = !starts.is_empty() && names_goals;
    if seeks_goals {
        check_way(args)?;
    }
    // A goal that is named counts, and not the start that the game declares. A certificate is about
    // the distances to the goals.
    if starts.is_empty() && !names_goals && args.certificate.is_none() {
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
        seeks_goals,
        farthest: args.farthest.max(args.certificate.is_some().into()),
        limits: Limits {
            nodes: args.nodes,
            time: args.time,
            memory: args.memory,
            interrupt: None,
        },
    };
    #[cfg(feature = "cluster")]
    if let Some(seat) = cluster::seat(args, &exploration, &game, cx)? {
        if args.certificate.is_some() {
            let refusal = Failure::usage("several processes write no certificate");
            return Err(refusal.hint("explore with one process"));
        }
        return seat.run(args, &exploration, &game, cx);
    }
    interrupt::flag(&cx.env);
    if let Some(file) = &args.certificate {
        Target::find(file).map_err(|error| cannot_write(file, &error))?;
    }
    let report = show(args, &game, &exploration, cx, |env, on_layer| {
        exploration.run(&game, env, on_layer)
    })?;
    if let (Some(file), true) = (&args.certificate, report.complete) {
        certify(file, &game, &report, cx)?;
    }
    Ok(Exit::of(report.stopped))
}

/// Refuse what doesn't count the goals on the way from the starts.
fn check_way(args: &ExploreArgs) -> Result<(), Failure> {
    #[cfg(feature = "cluster")]
    let is_cluster = args.cluster.is_several();
    #[cfg(not(feature = "cluster"))]
    let is_cluster = false;
    let is_ranked = args.storage == StorageChoice::Ranked;
    if args.disk.is_some() || is_ranked || args.symmetries || is_cluster {
        let refusal = Failure::usage("the way from starts to goals is explored in memory only");
        return Err(refusal.hint(
            "leave out `--disk`, `--storage ranked`, `--symmetries` and `--processes`, or one of \
             `--start` and `--goal`",
        ));
    }
    Ok(())
}

/// Write a certificate of the greatest distance.
fn certify(
    file: &Path,
    game: &Game,
    report: &ExplorationReport,
    cx: &mut Context,
) -> Result<(), Failure> {
    let farthest = report.farthest.first();
    let farthest = farthest.ok_or_else(|| Failure::usage("no state was found to certify"))?;
    let farthest = game.state("the farthest state", farthest)?;
    let certificate = certificate_of_greatest_cost(game, &farthest, &cx.env)?;
    cx.put(Some(file), &certificate)
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
) -> Result<ExplorationReport, Failure> {
    if let Some(path) = &args.output {
        form_of(path, SVG)?;
        #[cfg(not(feature = "experiments"))]
        return Err(Failure::missing("plots", "experiments"));
    }
    let (format, style) = (cx.format, cx.style());
    let out = &mut cx.out;
    // A refused exploration has no table, so its head comes with the first row. An error while a
    // row is printed is reported when the exploration has ended.
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
        write_plot(path, &report)?;
        cx.log.written(path);
    }
    match format {
        Format::Json => out.json(&report)?,
        Format::Csv => {}
        Format::Text => report.show(&style, out)?,
    }
    out.finish()?;
    Ok(report)
}

#[cfg(feature = "experiments")]
fn write_plot(path: &Path, report: &ExplorationReport) -> Result<(), Failure> {
    atomic_file::write(path, exploration_plot(report).as_bytes())?;
    Ok(())
}

#[cfg(not(feature = "experiments"))]
fn write_plot(_: &Path, _: &ExplorationReport) -> Result<(), Failure> {
    Err(Failure::missing("plots", "experiments"))
}

fn print_head(
    game: &Game,
    exploration: &Exploration,
    format: Format,
    out: &mut Output,
) -> Result<(), Failure> {
    match format {
        Format::Json => return Ok(()),
        Format::Csv => out.csv(exploration::layer_fields(exploration))?,
        Format::Text => exploration::show_head(exploration, game, out)?,
    }
    out.finish()
}

/// Print a layer, and flush it at once.
fn print_layer(layer: &ExploredLayer, format: Format, out: &mut Output) -> Result<(), Failure> {
    match format {
        Format::Json => return Ok(()),
        Format::Csv => out.csv(exploration::layer_values(layer))?,
        Format::Text => writeln!(out, "{}", exploration::layer_line(layer))?,
    }
    out.finish()
}
