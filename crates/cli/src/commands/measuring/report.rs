//! `psvn report`: the results of experiments as tables and plots.

use std::io::Write;
use std::path::Path;

use experiment::{Results, ResultsError};
use report::Report;

use crate::args::ReportArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::FormatChoice;
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
    let no_table = |name: &str| no_table(name, &report);
    let text = match cx.format_choice {
        FormatChoice::Html | FormatChoice::Md | FormatChoice::Json if args.table.is_some() => {
            return Err(Failure::usage("`--table` is for text, CSV and LaTeX")
                .hint("HTML, Markdown and JSON have all tables"));
        }
        FormatChoice::Html => report::html(&report),
        FormatChoice::Md => report::markdown(&report),
        FormatChoice::Latex => report::latex(&report, args.table.as_deref())
            .ok_or_else(|| no_table(args.table.as_deref().unwrap_or_default()))?,
        FormatChoice::Text => match &args.table {
            None => report::text(&report),
            Some(name) => report::tables_text(&report, name).ok_or_else(|| no_table(name))?,
        },
        FormatChoice::Json => format!("{:#}\n", report::json(&report)),
        FormatChoice::Csv => {
            let name = args.table.as_deref().unwrap_or("cells");
            report::csv(&report, name).ok_or_else(|| no_table(name))?
        }
    };
    if let Some(folder) = &args.plots {
        write_plots(&report, folder)?;
    }
    match &args.output {
        Some(path) => atomic_file::write(path, text.as_bytes())?,
        None => cx.out.write_all(text.as_bytes())?,
    }
    Ok(Exit::Done)
}

/// Writes each plot as a file of its own, called by its number and title.
fn write_plots(report: &Report, folder: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(folder).map_err(|error| {
        let (name, reason) = (folder.display(), read::reason(&error));
        Failure::input(format!("can't make the folder `{name}`: {reason}"))
    })?;
    let plots = report.sections.iter().flat_map(|section| &section.plots);
    for (number, plot) in plots.enumerate() {
        let title = plot.title.to_lowercase();
        let words = title.replace(|c: char| !c.is_alphanumeric(), " ");
        let words: Vec<&str> = words.split_whitespace().collect();
        let name = format!("{:02}-{}.svg", number + 1, words.join("-"));
        atomic_file::write(&folder.join(name), report::svg(plot).as_bytes())?;
    }
    Ok(())
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
