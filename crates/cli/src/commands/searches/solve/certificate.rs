//! The certificate of least costs, and of starts without a plan.

use std::path::Path;

use psvn::certificate::Writer;
use psvn::solve::Solved;
use psvn::store::atomic::{Target, cannot_write};
use psvn::{Game, Solver};

use crate::failure::Failure;
use crate::session::Context;

/// Begin a certificate. Refuse, before the search, what can't be certified or written.
pub(super) fn begin<'g>(
    path: &Path,
    game: &'g Game,
    solver: Option<&Solver>,
) -> Result<Writer<'g>, Failure> {
    if solver.is_some_and(|it| !it.is_optimal()) {
        return Err(Failure::usage(
            "only a search for the least cost has a certificate",
        ));
    }
    Target::find(path).map_err(|error| cannot_write(path, &error))?;
    Ok(Writer::new(game))
}

/// Add what was proved of an instance; nothing if the search was stopped.
pub(super) fn add(
    writer: &mut Writer<'_>,
    solver: Option<&Solver>,
    solved: &Solved<'_>,
    cx: &mut Context,
) -> Result<(), Failure> {
    if !writer.add(solver, &solved.instance.state, &solved.answer, &cx.env)? {
        let id = &solved.instance.id;
        let message = format!("the certificate has nothing of instance {id}: nothing is proved");
        cx.log.warning(&message);
    }
    Ok(())
}

/// Write the certificate; none if nothing was proved.
pub(super) fn write(path: &Path, writer: Writer<'_>, cx: &mut Context) -> Result<(), Failure> {
    match writer.finish(&cx.env)? {
        Some(text) => cx.put(Some(path), &text),
        None => {
            cx.log
                .warning("no certificate is written, since nothing is proved");
            Ok(())
        }
    }
}
