//! `psvn experiment`: methods measured on instances of games.

mod method;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use experiment::{
    PRESETS, Plan, Preset, ResultsError, ResultsFile, RunOptions, RunSummary, Spec, SpecError,
    SpecErrors,
};
use psvn_syntax::{Diagnostic, Span};
use serde::Serialize;

use crate::args::ExperimentArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Format;
use crate::output::diagnostics;
use crate::output::events;
use crate::output::progress::{Progress, ProgressMode};
use crate::output::table::{Align, Table};
use crate::session::Context;
use crate::session::interrupt;
use psvn::Source;
use psvn::experiment::Measurer;
use psvn::store::read;
use psvn::text::units::{count, format_seconds};

pub(crate) fn run(args: &ExperimentArgs, cx: &mut Context) -> Result<Exit, Failure> {
    if args.list {
        return list(cx);
    }
    let (source, base) = source(args)?;
    if args.print {
        cx.out.write_all(source.text.as_bytes())?;
        return Ok(Exit::Done);
    }
    let spec = parse(source, cx)?;
    let path = output(args);
    let interrupt = interrupt::flag(&cx.env);
    let mode = cx.progress;
    // Single cells say nothing of their progress, since the experiment does.
    let quiet = events::listener(Arc::clone(&cx.log), ProgressMode::Never);
    let env = cx.env.clone().with_listener(quiet);
    let jobs = usize::from(args.jobs);
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    if jobs > processors {
        cx.log.warning(&format!(
            "{jobs} cells at the same time on {}: times on the clock will be longer than need be",
            count(processors, "processor")
        ));
    }
    let mut runner = Measurer::new(&env, base, &method::read);
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
    let mut shown = Progress::new(mode);
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
    print(&plan, &summary, &path, cx)?;
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

/// The text of the experiment, and the folder in which the files that it names are.
fn source(args: &ExperimentArgs) -> Result<(Source, PathBuf), Failure> {
    if let Some(name) = &args.preset {
        let preset = preset(name)?;
        let text = if args.quick {
            preset.quick
        } else {
            preset.text
        };
        return Ok((Source::new(format!("preset {name}"), text), PathBuf::new()));
    }
    let path = args.spec.as_deref().unwrap_or(Path::new("-"));
    let (name, bytes) = read::read_bytes(path)?;
    let text = String::from_utf8(bytes)
        .map_err(|_| Failure::input(format!("`{name}` is no text in UTF-8")))?;
    let base = path.parent().map(Path::to_owned).unwrap_or_default();
    Ok((Source::new(name, text), base))
}

fn preset(name: &str) -> Result<&'static Preset, Failure> {
    PRESETS
        .iter()
        .find(|preset| preset.name == name)
        .ok_or_else(|| {
            let names: Vec<&str> = PRESETS.iter().map(|preset| preset.name).collect();
            Failure::usage(format!("there is no preset `{name}`"))
                .hint(format!("there are {}", names.join(", ")))
        })
}

/// Understands the experiment; shows what is wrong with the place.
fn parse(mut source: Source, cx: &Context) -> Result<Spec, Failure> {
    Spec::parse(&source.text).map_err(|SpecErrors(errors)| {
        let diagnostic = |error: SpecError| {
            let mut diagnostic = Diagnostic::error("experiment", error.message);
            if let Some(place) = error.place {
                diagnostic = diagnostic.at(Span::new(place.start, place.end), "");
            }
            diagnostic.hint = error.hint;
            diagnostic
        };
        source.diagnostics = errors.into_iter().map(diagnostic).collect();
        diagnostics::print(&source, &cx.log);
        Failure::reported(Exit::Input)
    })
}

/// Where the results go.
fn output(args: &ExperimentArgs) -> PathBuf {
    if let Some(path) = &args.output {
        return path.clone();
    }
    match (&args.preset, &args.spec) {
        (Some(name), _) if args.quick => PathBuf::from(format!("{name}-quick.jsonl")),
        (Some(name), _) => PathBuf::from(format!("{name}.jsonl")),
        (None, Some(spec)) if spec != Path::new("-") => spec.with_extension("jsonl"),
        _ => PathBuf::from("experiment.jsonl"),
    }
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

#[derive(Serialize)]
struct Done<'a> {
    title: &'a str,
    results: String,
    cells: usize,
    kept: usize,
    measured: usize,
    stopped: usize,
    failed: usize,
    complete: bool,
}

fn print(plan: &Plan, summary: &RunSummary, path: &Path, cx: &mut Context) -> Result<(), Failure> {
    let RunSummary {
        total,
        kept,
        measured,
        stopped,
        failed,
    } = *summary;
    match cx.format {
        Format::Json => cx.out.json(&Done {
            title: &plan.spec.title,
            results: path.display().to_string(),
            cells: total,
            kept,
            measured,
            stopped,
            failed,
            complete: summary.is_complete(),
        }),
        Format::Csv => {
            cx.out
                .csv(["results", "cells", "kept", "measured", "stopped", "failed"])?;
            let numbers = [total, kept, measured, stopped, failed].map(|n| n.to_string());
            cx.out
                .csv(std::iter::once(path.display().to_string()).chain(numbers))
        }
        Format::Text => {
            let out = &mut cx.out;
            writeln!(out, "{}", plan.spec.title)?;
            writeln!(
                out,
                "  {}: {measured} measured, {kept} kept from before, {} left",
                count(total, "cell"),
                total - kept - measured
            )?;
            if stopped > 0 {
                writeln!(out, "  {stopped} stopped by a limit")?;
            }
            if failed > 0 {
                writeln!(out, "  {failed} could not be run; the report says why")?;
            }
            writeln!(out, "  `psvn report {}` shows the results", path.display())?;
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
