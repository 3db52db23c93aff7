//! Events during work, for listeners.

use std::sync::Arc;

use crate::text::Source;
use crate::text::units::{format_speed, group_digits};

/// A listener. It should be quick, since the threads that work call it.
pub(super) type Sink = dyn Fn(&Event<'_>) + Send + Sync;

/// An event during work, such as progress or a warning, for the listener of an
/// [`Environment`](crate::Environment).
#[non_exhaustive]
pub enum Event<'a> {
    /// A piece of work begins that may take long.
    Began(PhaseId),
    /// The progress of a piece of work.
    Progress(Progress<'a>),
    /// A piece of work ends.
    Ended(PhaseId),
    /// A step of long work begins. Call the function for its text.
    Step(&'a dyn Fn() -> String),
    /// Information that needs no action.
    Note(&'a str),
    /// A detail, for verbose output.
    Detail(&'a str),
    /// A warning.
    Warning(&'a str),
    /// A problem in addition to the error that is returned.
    Problem(&'a str),
    /// Warnings about a text.
    TextWarnings(&'a Source),
    /// Errors of a text; an error is returned as well.
    TextErrors(&'a Source),
}

/// The number of a piece of work. It is unique in an [`Environment`](crate::Environment) and its
/// clones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PhaseId(pub(super) u64);

/// The progress of a piece of work.
#[derive(Clone, Copy)]
pub struct Progress<'a> {
    /// Which piece of work.
    pub phase: PhaseId,
    /// The number of finished parts and of all parts, where they are known.
    pub parts: Option<(usize, usize)>,
    message: &'a dyn Fn() -> String,
}

impl Progress<'_> {
    /// Describe the work in words. The text is made by this call, since progress is reported often.
    pub fn message(&self) -> String {
        (self.message)()
    }
}

/// A piece of work that reports its progress. The work ends when the value is dropped.
pub struct Phase {
    id: PhaseId,
    sink: Option<Arc<Sink>>,
}

impl Phase {
    /// Begin a piece of work.
    pub(super) fn begin(id: PhaseId, sink: Option<Arc<Sink>>) -> Self {
        let phase = Self { id, sink };
        phase.emit(&Event::Began(id));
        phase
    }

    /// Report progress: in words, and the number of finished parts and of all parts.
    pub fn show(&self, message: impl Fn() -> String, parts: Option<(usize, usize)>) {
        self.emit(&Event::Progress(Progress {
            phase: self.id,
            parts,
            message: &message,
        }));
    }

    /// Report the progress of a search, which `what` describes.
    pub fn of_search(
        self,
        what: impl Fn(&budget::Progress) -> String,
    ) -> impl FnMut(&budget::Progress) {
        move |progress| {
            self.show(
                || {
                    format!(
                        "{}: {} nodes, {}",
                        what(progress),
                        group_digits(u128::from(progress.done)),
                        format_speed(u128::from(progress.done), progress.elapsed)
                    )
                },
                None,
            );
        }
    }

    fn emit(&self, event: &Event<'_>) {
        if let Some(sink) = &self.sink {
            sink(event);
        }
    }
}

impl Drop for Phase {
    fn drop(&mut self) {
        self.emit(&Event::Ended(self.id));
    }
}
