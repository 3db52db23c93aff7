//! Ctrl-C: the first one asks the running work to stop and print its results so far, the second one
//! kills.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use psvn::Environment;

use crate::exit::Exit;

/// Return the flag that cancels all work, which the first Ctrl-C sets from now on.
///
/// Commands whose work checks the flag call this. All others end at once, as is the system's
/// default.
pub(crate) fn flag(env: &Environment) -> Arc<AtomicBool> {
    flag_saying(
        env,
        "interrupted: stopping with what was found so far (once more to stop at once)",
    )
}

/// The same with another message for the user.
pub(crate) fn flag_saying(env: &Environment, message: &'static str) -> Arc<AtomicBool> {
    let interrupted = Arc::clone(env.cancellation());
    let seen = Arc::clone(&interrupted);
    let installed = ctrlc::set_handler(move || {
        if seen.swap(true, Ordering::Relaxed) {
            std::process::exit(i32::from(Exit::Interrupted.code()));
        }
        let _ = writeln!(std::io::stderr().lock(), "\n{message}");
    });
    if let Err(error) = installed {
        tracing::debug!(%error, "no handler for Ctrl-C");
    }
    interrupted
}
