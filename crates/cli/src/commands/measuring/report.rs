//! `psvn report`: the results of experiments as tables and plots.

use std::io::Write;
use std::path::Path;

use experiment::{Results, ResultsError};
use report::Report;

use crate::args::ReportArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Format;
use crate::session::Context;
use psvn::store::atomic as atomic_file;
use psvn::store::read;

pub(crate) fn run(args: &ReportArgs, cx: &mut Context) -> Result<Exit, Failure> {
    let mut all = Vec::new();
    for path in &args.results {
        let name = path.display();
        let results = Results::read(path).map_err(|error| unreadable(path, &error))?;
        if results.header.is_none() {
            return Err(Failure::input(format!("`{name}` has no results yet"))
                .hint("`psvn experiment SPEC` makes such files"));
        }
        if results.torn {
            cx.log.note(&format!(
                "`{name}`: the last line has no end, and is left out; `psvn experiment` measures its cell again"
            ));
        }
        all.push(results);
    }
    let report = Report::new(&all);
    let text = match cx.format {
        _ if args.table.is_some() && (cx.wants_html || cx.format == Format::Json) => {
            return Err(Failure::usage("`--table` is for text and CSV")
                .hint("HTML and JSON have all tables"));
        }
        _ if cx.wants_html => report::html(&report),
        Format::Text => match &args.table {
            None => report::text(&report),
            Some(name) => {
                report::tables_text(&report, name).ok_or_else(|| no_table(name, &report))?
            }
        },
        Format::Json => format!("{:#}\n", report::json(&report)),
        Format::Csv => {
            let name = args.table.as_deref().unwrap_or("cells");
            report::csv(&report, name).ok_or_else(|| no_table(name, &report))?
        }
    };
    match &args.output {
        Some(path) => atomic_file::write(path, text.as_bytes())?,
        None => cx.out.write_all(text.as_bytes())?,
    }
    Ok(Exit::Done)
}

fn unreadable(path: &Path, error: &ResultsError) -> Failure {
    let name = path.display();
    match error {
        ResultsError::Io(error) => {
            Failure::input(format!("can't read `{name}`: {}", read::reason(error)))
        }
        ResultsError::Foreign if path.extension().is_some_and(|end| end == "toml") => {
            Failure::input(format!("`{name}` says what to measure, and has no results")).hint(
                format!("`psvn experiment {name}` measures it, and says where the results are"),
            )
        }
        error => Failure::input(format!("`{name}`: {error}")),
    }
}

fn no_table(name: &str, report: &Report) -> Failure {
    let mut names: Vec<&str> = Vec::new();
    for table in report.sections.iter().flat_map(|section| &section.tables) {
        if !names.contains(&table.name) {
            names.push(table.name);
        }
    }
    Failure::usage(format!("there is no table `{name}` in these results"))
        .hint(format!("there are {}", names.join(", ")))
}
