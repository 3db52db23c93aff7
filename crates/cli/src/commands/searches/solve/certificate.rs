//! Certificates of least costs, and that there is no plan.

use std::path::Path;

use psvn::certificate::{of_least_cost, of_no_plan};
use psvn::solve::{Outcome, Solved};
use psvn::store::atomic::{Target, cannot_write};
use psvn::{Game, Searcher};

use crate::failure::Failure;
use crate::session::Context;

/// Refuse, before the search, what can't be certified or written.
pub(super) fn check(path: &Path, searcher: Option<&Searcher>) -> Result<(), Failure> {
    if searcher.is_some_and(|it| !it.is_optimal()) {
        return Err(Failure::usage(
            "only a search for the least cost has a certificate",
        ));
    }
    Target::find(path).map_err(|error| cannot_write(path, &error))?;
    Ok(())
}

/// Write the certificate of an instance; none if the search was stopped.
pub(super) fn write(
    path: &Path,
    game: &Game,
    searcher: Option<&Searcher>,
    solved: &Solved<'_>,
    cx: &mut Context,
) -> Result<(), Failure> {
    let start = &solved.instance.state;
    let text = match (&solved.answer.outcome, searcher) {
        (Outcome::Solved(solution), Some(searcher)) => {
            of_least_cost(searcher, start, solution, &cx.env)?
        }
        (Outcome::NoSolution { .. }, _) => of_no_plan(game, start, &cx.env)?,
        _ => {
            cx.log
                .warning("no certificate is written, since nothing is proved");
            return Ok(());
        }
    };
    cx.put(Some(path), &text)
}
