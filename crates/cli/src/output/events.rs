//! What the library reports while it works, on standard error.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use psvn::Event;

use crate::output::diagnostics;
use crate::output::log::Log;
use crate::output::progress::{self, Progress, ProgressMode};

/// Shows events: texts by the log, progress as bars or lines.
pub(crate) fn listener(
    log: Arc<Log>,
    mode: ProgressMode,
) -> impl Fn(&Event<'_>) + Send + Sync + 'static {
    let shown = Mutex::new(HashMap::new());
    move |event| match event {
        Event::Note(text) => log.note(text),
        Event::Detail(text) if log.is_verbose() => log.note(text),
        Event::Warning(text) => log.warning(text),
        Event::Problem(text) => log.error(text),
        Event::TextErrors(source) => diagnostics::print(source, &log),
        Event::TextWarnings(source) if !log.is_quiet() => diagnostics::print(source, &log),
        Event::Step(message) => progress::step(mode, message),
        // Only a panic elsewhere could have poisoned the lock.
        Event::Began(phase) => {
            if let Ok(mut shown) = shown.lock() {
                shown.insert(*phase, Progress::new(mode));
            }
        }
        Event::Progress(at) => {
            if let Ok(mut shown) = shown.lock()
                && let Some(progress) = shown.get_mut(&at.phase)
            {
                progress.show(|| at.message(), at.parts);
            }
        }
        Event::Ended(phase) => {
            if let Ok(mut shown) = shown.lock() {
                shown.remove(phase);
            }
        }
        _ => {}
    }
}
