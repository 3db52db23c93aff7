//! `psvn experiment`: methods measured on instances of games.

mod method;

use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use experiment::{PRESETS, Plan, Preset, ResultsError, ResultsFile, RunOptions};
use serde::Serialize;

use crate::args::ExperimentArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Format;
use crate::output::events;
use crate::output::table::{Align, Table};
use crate::session::Context;
use crate::session::interrupt;
use psvn::experiment::{ExperimentReport, Measurer, Specification};
use psvn::store::read;
use psvn::text::units::{count, format_seconds};

pub(crate) fn run(args: &ExperimentArgs, cx: &mut Context) -> Result<Exit, Failure> {
    if args.list {
        return list(cx);
    }
    let specification = match &args.preset {
        Some(name) => Specification::preset(name, args.quick)?,
        None => Specification::open(args.spec.as_deref().unwrap_or(Path::new("-")))?,
    };
    if args.print {
        cx.out.write_all(specification.source.text.as_bytes())?;
        return Ok(Exit::Done);
    }
    let spec = specification.parse(&cx.env)?;
    let path = args.output.clone().unwrap_or(specification.results);
    let interrupt = interrupt::flag(&cx.env);
    // Single cells say nothing of their progress, since the experiment does.
    let quiet = events::listener_to_texts(Arc::clone(&cx.log), Arc::clone(&cx.screen));
    let env = cx.env.clone().with_listener(quiet);
    let jobs = usize::from(args.jobs);
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    if jobs > processors {
        cx.log.warning(&format!(
            "{jobs} cells at the same time on {}: times on the clock will be longer than need be",
            count(processors, "processor")
        ));
    }
    let mut runner = Measurer::new(&env, specification.folder, &method::read);
    let plan = Plan::new(spec, &mut runner).map_err(Failure::usage)?;
    let mut file = ResultsFile::open(&path).map_err(|error| unusable(&path, &error))?;
    if file.before().torn {
        cx.log.note(&format!(
            "the last line of `{}` has no end, and is cut off: its cell is measured again",
            path.display()
        ));
    }
    let options = RunOptions {
        jobs,
        program: format!("psvn {}", env!("CARGO_PKG_VERSION")),
    };
    let shown = cx.env.begin();
    let summary = experiment::run(
        &plan,
        &mut runner,
        &mut file,
        &options,
        &interrupt,
        &mut |progress| {
            shown.show(
                || {
                    let left = progress
                        .left
                        .map(|left| format!(", about {} left", format_seconds(left)));
                    format!(
                        "{} of {} cells: {}, {}{}",
                        progress.done,
                        progress.total,
                        progress.domain,
                        progress.method,
                        left.unwrap_or_default()
                    )
                },
                Some((progress.done, progress.total)),
            );
        },
    );
    drop(shown);
    let summary = summary.map_err(|error| {
        Failure::input(format!(
            "can't write `{}`: {}",
            path.display(),
            read::reason(&error)
        ))
    })?;
    print(&ExperimentReport::new(&plan, &summary, &path), cx)?;
    Ok(
        if interrupt.load(Ordering::Relaxed) && !summary.is_complete() {
            Exit::Interrupted
        } else if summary.failed > 0 {
            Exit::Input
        } else if !summary.is_complete() {
            // A cell that reached a limit has a result; what is left has none.
            Exit::Limit
        } else {
            Exit::Done
        },
    )
}

fn unusable(path: &Path, error: &ResultsError) -> Failure {
    let failure = Failure::input(format!("`{}`: {error}", path.display()));
    match error {
        ResultsError::Io(_) => failure,
        ResultsError::Locked => failure.hint("wait for it, or write to another file with `-o`"),
        ResultsError::Damaged { .. } => {
            failure.hint("take that line out, and its cell is measured again; or use `-o`")
        }
        _ => failure.hint("write to another file with `-o`; this one is left as it is"),
    }
}

fn print(report: &ExperimentReport, cx: &mut Context) -> Result<(), Failure> {
    let &ExperimentReport {
        cells,
        kept,
        measured,
        stopped,
        failed,
        ..
    } = report;
    match cx.format {
        Format::Json => cx.out.json(report),
        Format::Csv => {
            cx.out
                .csv(["results", "cells", "kept", "measured", "stopped", "failed"])?;
            let numbers = [cells, kept, measured, stopped, failed].map(|n| n.to_string());
            cx.out
                .csv(std::iter::once(report.results.clone()).chain(numbers))
        }
        Format::Text => {
            let out = &mut cx.out;
            writeln!(out, "{}", report.title)?;
            writeln!(
                out,
                "  {}: {measured} measured, {kept} kept from before, {} left",
                count(cells, "cell"),
                cells - kept - measured
            )?;
            if stopped > 0 {
                writeln!(out, "  {stopped} stopped by a limit")?;
            }
            if failed > 0 {
                writeln!(out, "  {failed} could not be run; the report says why")?;
            }
            writeln!(out, "  `psvn report {}` shows the results", report.results)?;
            Ok(())
        }
    }
}

fn list(cx: &mut Context) -> Result<Exit, Failure> {
    #[derive(Serialize)]
    struct Entry {
        name: &'static str,
        about: &'static str,
    }
    match cx.format {
        Format::Json => {
            let entry = |preset: &Preset| Entry {
                name: preset.name,
                about: preset.about,
            };
            cx.out
                .json(&PRESETS.iter().map(entry).collect::<Vec<Entry>>())?;
        }
        Format::Csv => {
            cx.out.csv(["name", "about"])?;
            for preset in PRESETS {
                cx.out.csv([preset.name, preset.about])?;
            }
        }
        Format::Text => {
            let mut table = Table::new([("", Align::Left), ("", Align::Left)]);
            for preset in PRESETS {
                table.row([preset.name, preset.about]);
            }
            table.print_body(&mut cx.out)?;
        }
    }
    Ok(Exit::Done)
}
