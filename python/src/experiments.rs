//! Experiments and their reports.

use std::path::PathBuf;

use ::experiment::{ExperimentReport, PRESETS, Specification, measure};
use ::report::{ReportForm, report_on, write_report};
use psvn::{Error, Source};
use pyo3::prelude::*;

use crate::environment::Environment;
use crate::errors::Raise;

/// Measure the cells of a specification that have no result in a file yet. Return the numbers of
/// cells: all, kept, measured, stopped by a limit, failed.
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
    let ExperimentReport {
        cells,
        kept,
        measured,
        stopped,
        failed,
        ..
    } = env.run(py, |env| {
        let specification = if preset {
            Specification::preset(name, quick)?
        } else {
            Specification {
                source: Source::new(name, text),
                folder: base,
                results: results.clone(),
            }
        };
        measure(&specification, &results, jobs, env)
    })?;
    Ok([cells, kept, measured, stopped, failed])
}

/// The experiments that come with the program: names and descriptions.
#[pyfunction]
pub(crate) fn presets() -> Vec<(&'static str, &'static str)> {
    PRESETS
        .iter()
        .map(|preset| (preset.name, preset.about))
        .collect()
}

/// A report on files of results, as `text`, `html`, `md`, `latex`, `json`, or `csv` of one table.
#[pyfunction]
#[pyo3(signature = (env, files, form, table=None))]
pub(crate) fn report(
    py: Python<'_>,
    env: &Environment,
    files: Vec<PathBuf>,
    form: &str,
    table: Option<&str>,
) -> PyResult<String> {
    let form = match form {
        "html" => ReportForm::Html,
        "md" => ReportForm::Markdown,
        "latex" => ReportForm::Latex,
        "text" => ReportForm::Text,
        "json" => ReportForm::Json,
        "csv" => ReportForm::Csv,
        _ => {
            let error = Error::usage(format!("there is no form `{form}` of reports"))
                .with_hint("the forms are text, html, md, latex, json and csv");
            return Err(error).raise(py);
        }
    };
    let text = env.run(py, |env| {
        write_report(&report_on(&files, env)?, form, table, &[])
    })?;
    Ok(text)
}
