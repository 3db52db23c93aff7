//! Whole experiments: from the specification to the file of results.

use std::path::Path;

use psvn::store::read::reason;
use psvn::text::units::{count, format_seconds};
use psvn::{Cache, Environment, Error};

use super::measurer::Measurer;
use super::specification::{ExperimentReport, Specification};
use crate::{ResultsFile, RunOptions, run};

/// Measure all cells of an experiment that the file of results doesn't have yet, `jobs` at the same
/// time, and add their results.
///
/// # Errors
/// When the text has errors, a game or a method makes no sense, or the file of results can't be
/// used. A cell that can't be measured isn't an error: it is counted.
pub fn measure(
    specification: &Specification,
    results: &Path,
    jobs: usize,
    env: &Environment,
) -> Result<ExperimentReport, Error> {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    if jobs > processors {
        env.warning(format!(
            "{jobs} cells at the same time on {}: times on the clock will be longer than need be",
            count(processors, "processor")
        ));
    }
    // Single cells report no progress, since the experiment does. Nothing is taken from the cache:
    // results depend on the specification alone, not on what was run before on this machine.
    let quiet = env.without_progress().with_cache(Cache::none());
    let mut runner = Measurer::new(&quiet, specification.folder.clone());
    let plan = specification.plan(&mut runner, env)?;
    let mut file = ResultsFile::open(results).map_err(|error| error.about(results))?;
    if file.before().torn {
        env.note(format!(
            "the last line of `{}` has no end, and is cut off: its cell is measured again",
            results.display()
        ));
    }
    let options = RunOptions {
        jobs: jobs.max(1),
        program: format!("psvn {}", env!("CARGO_PKG_VERSION")),
    };
    let phase = env.begin();
    let cancelled = env.cancellation();
    let summary = run(
        &plan,
        &mut runner,
        &mut file,
        &options,
        cancelled,
        &mut |at| {
            let words = || {
                let left = at
                    .left
                    .map(|left| format!(", about {} left", format_seconds(left)));
                format!(
                    // Where the line is too long, its end is cut.
                    "{} of {} cells{}: {}, {}",
                    at.done,
                    at.total,
                    left.unwrap_or_default(),
                    at.domain,
                    at.method
                )
            };
            phase.show(words, Some((at.done, at.total)));
        },
    );
    let summary = summary.map_err(|error| {
        Error::input(format!(
            "can't write `{}`: {}",
            results.display(),
            reason(&error)
        ))
    })?;
    Ok(ExperimentReport::new(&plan, &summary, results))
}
