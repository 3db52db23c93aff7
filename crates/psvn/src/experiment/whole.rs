//! Whole experiments: from the text that says what to measure to the results, and their report.

use std::path::{Path, PathBuf};

use experiment::{Plan, Results, ResultsError, ResultsFile, RunOptions, RunSummary};
use report::Report;

use super::{Measurer, MethodReader, Specification};
use crate::environment::Environment;
use crate::error::Error;
use crate::store::read::reason;

/// Measure all cells of an experiment that the file of results doesn't have yet, `jobs` at the same
/// time, and add theirs.
///
/// # Errors
/// When the text has errors, a game or a method makes no sense, or the file of results can't be
/// used. A cell that can't be measured is no error: it is counted.
pub fn measure(
    specification: &Specification,
    results: &Path,
    jobs: usize,
    read_method: &MethodReader<'_>,
    env: &Environment,
) -> Result<RunSummary, Error> {
    let spec = specification.parse(env)?;
    // Single cells say nothing of their progress, since the experiment does.
    let quiet = env.clone().with_listener(|_| {});
    let mut runner = Measurer::new(&quiet, specification.folder.clone(), read_method);
    let plan = Plan::new(spec, &mut runner).map_err(Error::input)?;
    let mut file = ResultsFile::open(results).map_err(|error| unusable(results, &error))?;
    let options = RunOptions {
        jobs: jobs.max(1),
        program: format!("psvn {}", env!("CARGO_PKG_VERSION")),
    };
    let phase = env.begin();
    let summary = experiment::run(
        &plan,
        &mut runner,
        &mut file,
        &options,
        env.cancellation(),
        &mut |progress| {
            let words = || format!("{}, {}", progress.domain, progress.method);
            phase.show(words, Some((progress.done, progress.total)));
        },
    );
    summary.map_err(|error| {
        Error::input(format!(
            "can't write `{}`: {}",
            results.display(),
            reason(&error)
        ))
    })
}

/// Report on files of results.
///
/// # Errors
/// When a file can't be read or has no results.
pub fn report_on(files: &[PathBuf]) -> Result<Report, Error> {
    let read = |path: &PathBuf| {
        let results = Results::read(path).map_err(|error| unusable(path, &error))?;
        match results.header {
            Some(_) => Ok(results),
            None => Err(Error::input(format!(
                "`{}` has no results yet",
                path.display()
            ))),
        }
    };
    let all: Vec<Results> = files.iter().map(read).collect::<Result<_, Error>>()?;
    Ok(Report::new(&all))
}

fn unusable(path: &Path, error: &ResultsError) -> Error {
    match error {
        ResultsError::Io(error) => Error::input(format!(
            "can't read or write `{}`: {}",
            path.display(),
            reason(error)
        )),
        error => Error::input(format!("`{}`: {error}", path.display()))
            .with_hint("take another file for the results"),
    }
}
