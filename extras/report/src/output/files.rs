//! Files of results, and reports on them.

use std::path::PathBuf;

use experiment::{Results, ResultsError};
use psvn::store::read::reason;
use psvn::text::Task;
use psvn::{Environment, Error, message};

use crate::choice::ChoiceError;
use crate::output::data::{csv, json};
use crate::output::html::html;
use crate::output::latex::latex;
use crate::output::markdown::{markdown, tables_markdown};
use crate::output::text::{tables_text, text};
use crate::section::{Report, Section};
use crate::svg::svg;

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
            error => error.about(path),
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

/// Write a report, all of it or one table; of a table, all columns unless some are named.
///
/// # Errors
/// When there is no such table or column, or the form has all tables in one text.
pub fn write_report(
    report: &Report,
    form: ReportForm,
    table: Option<&str>,
    columns: &[String],
) -> Result<String, Error> {
    use ReportForm::{Csv, Html, Json, Latex, Markdown, Text};
    if (table.is_some() || !columns.is_empty()) && matches!(form, Html | Json) {
        return Err(
            Error::usage("single tables are for text, CSV, Markdown and LaTeX")
                .with_hint("HTML and JSON have all tables with all columns"),
        );
    }
    let table = match (form, table, columns) {
        (Csv, None, _) => Some("cells"),
        (_, None, [_, ..]) => {
            return Err(Error::usage("columns are those of one table")
                .with_hint("name the table, such as summary or cells"));
        }
        (_, table, _) => table,
    };
    let text = match table {
        None => Some(match form {
            Html => html(report),
            Json => format!("{:#}\n", json(report)),
            Markdown => markdown(report),
            Latex => latex(report, None).unwrap_or_default(),
            Text | Csv => text(report),
        }),
        Some(name) => {
            let chosen = report.chosen(name, columns).map_err(no_choice)?;
            match form {
                Csv => csv(&chosen, name),
                Markdown => tables_markdown(&chosen, name),
                Latex => latex(&chosen, Some(name)),
                Text | Html | Json => tables_text(&chosen, name),
            }
        }
    };
    text.ok_or_else(|| Error::usage("there is no such table in these results"))
}

/// Return the plots of a report as pictures, each with a file name from its number and title.
pub fn plot_files(report: &Report) -> impl Iterator<Item = (String, String)> {
    let plots = report.sections.iter().flat_map(Section::all_plots);
    plots.enumerate().map(|(number, plot)| {
        let title = plot.title.to_lowercase();
        let words = title.replace(|c: char| !c.is_alphanumeric(), " ");
        let words: Vec<&str> = words.split_whitespace().collect();
        let name = format!("{:02}-{}.svg", number + 1, words.join("-"));
        (name, svg(plot))
    })
}

/// Why there is no such table or column, with those that there are.
fn no_choice(error: ChoiceError) -> Error {
    let message = Error::usage(error.to_string());
    match error {
        ChoiceError::Table { known, .. } | ChoiceError::Column { known, .. } => {
            message.with_hint(format!("there are {}", known.join(", ")))
        }
    }
}
