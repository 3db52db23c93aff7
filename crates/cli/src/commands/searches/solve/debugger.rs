//! The states of a search, for the search debugger of the extension "PDDL" of VS Code.

use psvn::{Solver, State};

use crate::failure::Failure;
use crate::session::Context;

/// Send the states of the search from a start to the debugger that listens on a port of this
/// machine.
#[cfg(feature = "debugger")]
pub(super) fn tell(port: u16, solver: &Solver, start: &State, cx: &Context) -> Result<(), Failure> {
    use std::time::Duration;

    use pictures::DebuggedSearch;

    /// The debugger draws each state, which takes it a while.
    const MOST_STATES: usize = 5_000;
    /// How long the debugger may take for one state.
    const PATIENCE: Duration = Duration::from_secs(10);

    let debugged = DebuggedSearch::run(solver, start, MOST_STATES)?;
    // Whatever the settings say of proxies: the debugger is on this machine.
    let agent: ureq::Agent = ureq::Agent::config_builder()
        .timeout_global(Some(PATIENCE))
        .proxy(None)
        .build()
        .into();
    for message in debugged.messages() {
        if cx.env.is_cancelled() {
            return Ok(());
        }
        let body =
            serde_json::to_string(&message).map_err(|error| Failure::limit(error.to_string()))?;
        let sent = agent
            .post(format!("http://127.0.0.1:{port}{}", message.path))
            .header("Content-Type", "application/json")
            .send(body);
        sent.map_err(|error| {
            Failure::input(format!(
                "the search debugger at port {port} doesn't take {}: {error}",
                message.path
            ))
            .hint("in VS Code, `PDDL: Show search debugger` starts it and names its port")
        })?;
    }
    if !debugged.is_whole() {
        cx.log.note(&format!(
            "the search debugger has the first {MOST_STATES} states; the search finds more"
        ));
    }
    Ok(())
}

/// Refuse what this program was built without.
#[cfg(not(feature = "debugger"))]
pub(super) fn tell(_: u16, _: &Solver, _: &State, _: &Context) -> Result<(), Failure> {
    Err(Failure::missing(
        "messages to a search debugger",
        "debugger",
    ))
}
