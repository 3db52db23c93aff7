//! Files of results, and reports on them.

use std::path::{Path, PathBuf};

use experiment::{Results, ResultsError};
use report::{Report, csv, html, json, latex, markdown, svg, tables_text, text};

use crate::environment::Environment;
use crate::error::Error;
use crate::store::read::reason;
use crate::text::{Task, message};

/// How a report is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ReportForm {
    /// A page for a browser.
    Html,
    /// Markdown.
    Markdown,
    /// LaTeX.
    Latex,
    /// Plain text.
    Text,
    /// All tables as JSON.
    Json,
    /// One table as CSV: the requested one, else that of the cells.
    Csv,
}

/// Report on files of results.
///
/// # Errors
/// When a file can't be read or has no results.
pub fn report_on(files: &[PathBuf], env: &Environment) -> Result<Report, Error> {
    let read = |path: &PathBuf| {
        let name = path.display();
        let results = Results::read(path).map_err(|error| match error {
            ResultsError::Io(error) => {
                Error::input(format!("can't read `{name}`: {}", reason(&error)))
            }
            error => unusable(path, &error),
        })?;
        if results.header.is_none() {
            let hint = message![Task::Measure, " makes such files"];
            return Err(Error::input(format!("`{name}` has no results yet")).with_hint(hint));
        }
        if results.torn {
            env.note(format!(
                "`{name}`: the last line has no end, and is left out; its cell is measured again \
                 when the experiment goes on"
            ));
        }
        Ok(results)
    };
    let all: Vec<Results> = files.iter().map(read).collect::<Result<_, Error>>()?;
    Ok(Report::new(&all))
}

/// Write a report, all of it or one table.
///
/// # Errors
/// When there is no such table, or the form has all tables in one text.
pub fn write_report(
    report: &Report,
    form: ReportForm,
    table: Option<&str>,
) -> Result<String, Error> {
    use ReportForm::{Csv, Html, Json, Latex, Markdown, Text};
    if table.is_some() && matches!(form, Html | Markdown | Json) {
        return Err(Error::usage("single tables are for text, CSV and LaTeX")
            .with_hint("HTML, Markdown and JSON have all tables"));
    }
    let text = match (form, table) {
        (Html, _) => Some(html(report)),
        (Markdown, _) => Some(markdown(report)),
        (Json, _) => Some(format!("{:#}\n", json(report))),
        (Latex, table) => latex(report, table),
        (Text, None) => Some(text(report)),
        (Text, Some(table)) => tables_text(report, table),
        (Csv, table) => csv(report, table.unwrap_or("cells")),
    };
    text.ok_or_else(|| no_table(table.unwrap_or("cells"), report))
}

/// Return the plots of a report as pictures, each with a file name from its number and title.
pub fn plot_files(report: &Report) -> impl Iterator<Item = (String, String)> {
    let plots = report.sections.iter().flat_map(|section| &section.plots);
    plots.enumerate().map(|(number, plot)| {
        let title = plot.title.to_lowercase();
        let words = title.replace(|c: char| !c.is_alphanumeric(), " ");
        let words: Vec<&str> = words.split_whitespace().collect();
        let name = format!("{:02}-{}.svg", number + 1, words.join("-"));
        (name, svg(plot))
    })
}

/// Why a file of results can't be used.
pub(super) fn unusable(path: &Path, error: &ResultsError) -> Error {
    let name = path.display();
    let failure = Error::input(format!("`{name}`: {error}"));
    match error {
        ResultsError::Io(error) => {
            Error::input(format!("can't read or write `{name}`: {}", reason(error)))
        }
        ResultsError::Locked => failure.with_hint("wait for it, or use another file"),
        ResultsError::Damaged { .. } => failure
            .with_hint("remove this line, and its cell is measured again; or use another file"),
        ResultsError::Foreign if path.extension().is_some_and(|end| end == "toml") => {
            let hint = message![
                Task::Measure,
                " measures it, and says where the results are"
            ];
            let what = format!("`{name}` is a specification, not a file of results");
            Error::input(what).with_hint(hint)
        }
        _ => failure.with_hint("choose another file; this one is unchanged"),
    }
}

fn no_table(name: &str, report: &Report) -> Error {
    let mut names: Vec<&str> = Vec::new();
    for table in report.sections.iter().flat_map(|section| &section.tables) {
        if !names.contains(&table.name) {
            names.push(table.name);
        }
    }
    Error::usage(format!("there is no table `{name}` in these results"))
        .with_hint(format!("there are {}", names.join(", ")))
}
