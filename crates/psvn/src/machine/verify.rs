//! Machine files, proved again by independent code.

use std::path::Path;

use analyses::limits_of_proofs;
use redundancy::Verification;

use crate::environment::Environment;
use crate::error::Error;
use crate::game::{Game, machine_file};

/// Prove again all that a machine file claims about a game: certificates, assumed invariants,
/// swaps, the machine, and the header.
///
/// # Errors
/// When the file can't be read, belongs to another game, or claims something that can't be checked
/// at all; or when the work is cancelled. A false claim isn't an error.
pub fn verify(game: &Game, path: &Path, env: &Environment) -> Result<Verification, Error> {
    let _span = tracing::info_span!("verify").entered();
    let open = machine_file::open_for(path, game.ir(), game.name())?;
    let verified = env.install(|| {
        let shown = env.begin();
        let progress = |message: &dyn Fn() -> String, parts| shown.show(message, parts);
        let limits = limits_of_proofs(env);
        redundancy::verify(game.ir(), game.name(), path, &open, &limits, &progress)
    });
    Ok(verified?)
}
