//! Experiments and their reports.

use std::path::PathBuf;

use psvn::experiment::{PRESETS, RunSummary, Specification, measure, report_on};
use psvn::{Error, Source, report as reports};
use pyo3::prelude::*;

use crate::environment::Environment;
use crate::errors::Raise;
use crate::options;

/// Measure what a text says that has no result in a file yet. Returns the numbers of cells: all,
/// kept, measured, stopped by a limit, failed.
#[pyfunction]
#[pyo3(signature = (env, text, name, base, results, jobs=1, preset=false, quick=false))]
#[expect(clippy::too_many_arguments, reason = "Python passes them by name")]
pub(crate) fn experiment(
    py: Python<'_>,
    env: &Environment,
    text: &str,
    name: &str,
    base: PathBuf,
    results: PathBuf,
    jobs: usize,
    preset: bool,
    quick: bool,
) -> PyResult<[usize; 5]> {
    let RunSummary {
        total,
        kept,
        measured,
        stopped,
        failed,
    } = env.run(py, |env| {
        let specification = match preset {
            true => Specification::preset(name, quick)?,
            false => Specification {
                source: Source::new(name, text),
                folder: base,
                results: results.clone(),
            },
        };
        measure(&specification, &results, jobs, &options::of_group, env)
    })?;
    Ok([total, kept, measured, stopped, failed])
}

/// The experiments that come with the program: names, and what they are.
#[pyfunction]
pub(crate) fn presets() -> Vec<(&'static str, &'static str)> {
    PRESETS
        .iter()
        .map(|preset| (preset.name, preset.about))
        .collect()
}

/// A report on files of results, as `text`, `html`, `md`, `latex`, `json`, or `csv` of one table.
#[pyfunction]
#[pyo3(signature = (files, form, table=None))]
pub(crate) fn report(
    py: Python<'_>,
    files: Vec<PathBuf>,
    form: &str,
    table: Option<&str>,
) -> PyResult<String> {
    let report = report_on(&files).raise(py)?;
    let no_table = |name: &str| {
        let tables = report.sections.iter().flat_map(|section| &section.tables);
        let mut names: Vec<&str> = Vec::new();
        for table in tables {
            if !names.contains(&table.name) {
                names.push(table.name);
            }
        }
        Error::usage(format!("there is no table `{name}` in these results"))
            .with_hint(format!("there are {}", names.join(", ")))
    };
    let text = match (form, table) {
        ("html", _) => Ok(reports::html(&report)),
        ("json", _) => Ok(reports::json(&report).to_string()),
        ("csv", table) => {
            let name = table.unwrap_or("cells");
            reports::csv(&report, name).ok_or_else(|| no_table(name))
        }
        ("md", _) => Ok(reports::markdown(&report)),
        ("latex", table) => {
            reports::latex(&report, table).ok_or_else(|| no_table(table.unwrap_or_default()))
        }
        ("text", Some(name)) => reports::tables_text(&report, name).ok_or_else(|| no_table(name)),
        ("text", None) => Ok(reports::text(&report)),
        _ => Err(
            Error::usage(format!("there is no form `{form}` of reports"))
                .with_hint("the forms are text, html, md, latex, json and csv"),
        ),
    };
    text.raise(py)
}
