//! Certificates of least costs, and that there is no plan.

use std::path::{Path, PathBuf};

use psvn::certificate::of_answer;
use psvn::instance::{Instance, Judged};
use psvn::solve::Solved;
use psvn::store::atomic::{Target, cannot_write};
use psvn::store::table_names::numbered;
use psvn::{Game, Searcher};

use crate::failure::Failure;
use crate::session::Context;

/// The file for an instance: if there are several, `a.cert` becomes `a-NAME.cert`.
pub(super) fn path_of(path: &Path, judged: &Judged, instance: &Instance) -> PathBuf {
    if judged.instances.len() == 1 {
        return path.to_owned();
    }
    numbered(path, &instance.id)
}

/// Refuse, before the search, what can't be certified or written.
pub(super) fn check(
    path: &Path,
    judged: &Judged,
    searcher: Option<&Searcher>,
) -> Result<(), Failure> {
    if searcher.is_some_and(|it| !it.is_optimal()) {
        return Err(Failure::usage(
            "only a search for the least cost has a certificate",
        ));
    }
    for instance in &judged.instances {
        if !is_name_of_file(&instance.id) {
            return Err(Failure::usage(format!(
                "`{}` can't be a part of a file's name, as the certificate of this instance needs",
                instance.id
            )));
        }
        let path = path_of(path, judged, instance);
        Target::find(&path).map_err(|error| cannot_write(&path, &error))?;
    }
    Ok(())
}

fn is_name_of_file(id: &str) -> bool {
    !id.contains(['/', '\\', '\0'])
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
