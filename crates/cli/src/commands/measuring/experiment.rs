//! `psvn experiment`: methods measured on instances of games.

mod method;

use std::io::Write;
use std::path::Path;

use psvn::experiment::{ExperimentReport, PRESETS, Preset, Specification, measure};
use psvn::text::units::count;
use serde::Serialize;

use crate::args::ExperimentArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Format;
use crate::output::table::{Align, Table};
use crate::session::Context;
use crate::session::interrupt;

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
    interrupt::flag(&cx.env);
    let results = args.output.as_ref().unwrap_or(&specification.results);
    let jobs = usize::from(args.jobs);
    let report = measure(&specification, results, jobs, &method::read, &cx.env)?;
    print(&report, cx)?;
    Ok(match report.complete {
        _ if report.failed > 0 => Exit::Input,
        true => Exit::Done,
        false if cx.env.is_cancelled() => Exit::Interrupted,
        // A cell that reached a limit has a result; what is left has none.
        false => Exit::Limit,
    })
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
