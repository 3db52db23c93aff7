//! Shows the library's events on standard error.

use std::sync::Arc;

use psvn::Event;

use crate::output::diagnostics;
use crate::output::log::Log;
use crate::output::progress::Screen;

/// Show events: texts by the log, progress as bars or lines.
pub(crate) fn listener(
    log: Arc<Log>,
    screen: Arc<Screen>,
) -> impl Fn(&Event<'_>) + Send + Sync + 'static {
    let texts = listener_to_texts(log, Arc::clone(&screen));
    move |event| match event {
        Event::Step(message) => screen.step(message),
        Event::Began(phase) => screen.begin(*phase),
        Event::Progress(at) => screen.show(at.phase, || at.message(), at.parts),
        Event::Ended(phase) => screen.end(*phase),
        text => texts(text),
    }
}

/// Show texts beside the progress.
fn listener_to_texts(
    log: Arc<Log>,
    screen: Arc<Screen>,
) -> impl Fn(&Event<'_>) + Send + Sync + 'static {
    move |event| match event {
        Event::Note(text) => screen.beside(|| log.note(text)),
        Event::Detail(text) if log.is_verbose() => screen.beside(|| log.note(text)),
        Event::Warning(text) => screen.beside(|| log.warning(text)),
        Event::Problem(text) => screen.beside(|| log.error(text)),
        Event::TextErrors(source) => screen.beside(|| diagnostics::print(source, &log)),
        Event::TextWarnings(source) if !log.is_quiet() => {
            screen.beside(|| diagnostics::print(source, &log));
        }
        _ => {}
    }
}
