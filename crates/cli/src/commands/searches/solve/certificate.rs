//! Certificates of least costs, and that there is no plan.

use std::path::{Path, PathBuf};

use psvn::certificate::{of_least_cost, of_no_plan, of_plan};
use psvn::solve::{Outcome, Solved};
use psvn::store::atomic::{Target, cannot_write};
use psvn::{Game, Searcher};

use crate::failure::Failure;
use crate::session::Context;

/// The file for the certificate of the plan.
fn of_the_plan(path: &Path) -> PathBuf {
    let mut path = path.as_os_str().to_owned();
    path.push(".plan");
    path.into()
}

/// Refuse, before the search, what can't be certified or written.
pub(super) fn check(path: &Path, searcher: Option<&Searcher>) -> Result<(), Failure> {
    if searcher.is_some_and(|it| !it.is_optimal()) {
        return Err(Failure::usage(
            "only a search for the least cost has a certificate",
        ));
    }
    for path in [path, &of_the_plan(path)] {
        Target::find(path).map_err(|error| cannot_write(path, &error))?;
    }
    Ok(())
}

/// Write the certificates of an instance; none if the search was stopped.
pub(super) fn write(
    path: &Path,
    game: &Game,
    searcher: Option<&Searcher>,
    solved: &Solved<'_>,
    cx: &mut Context,
) -> Result<(), Failure> {
    let start = &solved.instance.state;
    match &solved.answer.outcome {
        Outcome::Solved(solution) if searcher.is_some_and(Searcher::is_optimal) => {
            let bound = u64::try_from(solution.cost).unwrap_or(u64::MAX);
            let plan = of_plan(game, start, solution, &cx.env)?;
            let text = of_least_cost(game, start, bound, &cx.env)?;
            cx.put(Some(&of_the_plan(path)), &plan)?;
            cx.put(Some(path), &text)
        }
        Outcome::NoSolution { .. } => {
            let text = of_no_plan(game, start, &cx.env)?;
            cx.put(Some(path), &text)
        }
        _ => {
            cx.log
                .warning("no certificate is written, since nothing is proved");
            Ok(())
        }
    }
}
