//! Certificates of machines.

use std::path::Path;

use budget::{Limits, Watch};
use certificates::machine_claim;
use checker::CostCertificate;
use redundancy::SearchFor;

use super::writer::not_written;
use crate::environment::Environment;
use crate::error::Error;
use crate::game::{Game, machine_file};

/// Write what a machine file claims about a game as a certificate, for the checker that is proved
/// correct. It was checked by the other one.
///
/// # Errors
/// When the file can't be read or belongs to another game; when it claims something that
/// certificates have no place for, or that isn't proved; or when a limit is reached.
pub fn certificate_of_machine(
    game: &Game,
    path: &Path,
    env: &Environment,
) -> Result<String, Error> {
    let open = machine_file::open_for(path, game.ir(), game.name())?;
    let name = path.display().to_string();
    let states = SearchFor::States;
    machine_file::check_ignored(open.assumptions(), &name, states, game.ir(), game.name())?;
    let assumed = machine_file::assumptions(&open, path, game.ir())?;
    let file = open
        .to_machine_file()
        .map_err(|error| machine_file::unreadable(&name, &error))?;
    let watch = Watch::new(env.limits(&Limits::default()));
    let text = machine_claim(game.ir(), &file, &assumed, &watch).map_err(not_written)?;
    let certificate = CostCertificate::read(text.as_bytes())
        .map_err(|error| Error::wrong(format!("the certificate is unreadable: {error}")))?;
    match super::check(&certificate, env)? {
        None => Ok(text),
        Some(flaw) => Err(Error::input(format!("no certificate: {flaw}")).with_hint(
            "certificates have sums that no rule changes as invariants, but no facts that exclude \
             each other without being part of a sum",
        )),
    }
}
