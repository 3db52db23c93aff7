//! `psvn experiment`: methods measured on instances of games.

use std::io::Write;
use std::path::Path;

use experiment::{PRESETS, Specification, measure};

use crate::args::ExperimentArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Format;
use crate::session::Context;
use crate::session::interrupt;

pub(crate) fn run(args: &ExperimentArgs, cx: &mut Context) -> Result<Exit, Failure> {
    if args.list {
        cx.print(PRESETS)?;
        return Ok(Exit::Done);
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
    let report = measure(&specification, results, jobs, &cx.env)?;
    cx.print(&report)?;
    if cx.format == Format::Text && !cx.log.is_quiet() {
        writeln!(
            cx.out,
            "  `psvn report {}` shows the results",
            report.results
        )?;
    }
    if !report.complete && cx.env.is_cancelled() {
        cx.out.finish()?;
        cx.log
            .help("the same command goes on from here: what was measured is kept");
    }
    Ok(match report.complete {
        _ if report.failed > 0 => Exit::Input,
        true => Exit::Done,
        false if cx.env.is_cancelled() => Exit::Interrupted,
        // A cell that reached a limit has a result; the remaining cells have none.
        false => Exit::Limit,
    })
}
