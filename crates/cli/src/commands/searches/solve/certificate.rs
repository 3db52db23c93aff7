//! Certificates of least costs, and that there is no plan.

use std::path::Path;

use psvn::certificate::of_answer;
use psvn::solve::Solved;
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
    let (start, outcome) = (&solved.instance.state, &solved.answer.outcome);
    match of_answer(game, searcher, start, outcome, &cx.env)? {
        Some(text) => cx.put(Some(path), &text),
        None => {
            cx.log
                .warning("no certificate is written, since nothing is proved");
            Ok(())
        }
    }
}
