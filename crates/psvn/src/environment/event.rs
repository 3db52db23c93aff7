//! What happens while something is done, for whoever listens.

use std::sync::Arc;

use crate::text::Source;
use crate::text::units::{format_speed, group_digits};

/// Takes events. It is called from the threads that work, so it should be quick.
pub(super) type Sink = dyn Fn(&Event<'_>) + Send + Sync;

/// What happens while something is done.
#[non_exhaustive]
pub enum Event<'a> {
    /// A piece of work begins that may take long.
    Began(PhaseId),
    /// How far a piece of work is.
    Progress(Progress<'a>),
    /// A piece of work ends.
    Ended(PhaseId),
    /// A step of long work begins. The text is made on demand.
    Step(&'a dyn Fn() -> String),
    /// Something to know that is nothing to worry about.
    Note(&'a str),
    /// Something that only those want to know who want details.
    Detail(&'a str),
    /// Something that may be wrong.
    Warning(&'a str),
    /// Something that is wrong, in addition to the error that is returned.
    Problem(&'a str),
    /// What may be wrong about a text.
    TextWarnings(&'a Source),
    /// What is wrong about a text; an error is returned as well.
    TextErrors(&'a Source),
}

/// The number of a piece of work. No other one of the same [`Environment`](crate::Environment) and
/// its clones has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PhaseId(pub(super) u64);

/// How far a piece of work is.
#[derive(Clone, Copy)]
pub struct Progress<'a> {
    /// Which piece of work.
    pub phase: PhaseId,
    /// How many parts are done, and of how many, where that is known.
    pub parts: Option<(usize, usize)>,
    message: &'a dyn Fn() -> String,
}

impl Progress<'_> {
    /// What is done, in words. It is made on demand, since progress comes often.
    pub fn message(&self) -> String {
        (self.message)()
    }
}

/// A piece of work that reports its progress. It ends when this is dropped.
pub struct Phase {
    id: PhaseId,
    sink: Option<Arc<Sink>>,
}

impl Phase {
    /// Begins a piece of work.
    pub(super) fn begin(id: PhaseId, sink: Option<Arc<Sink>>) -> Self {
        let phase = Self { id, sink };
        phase.emit(&Event::Began(id));
        phase
    }

    /// Says how far the work is: in words, and how many parts are done of how many.
    pub fn show(&self, message: impl Fn() -> String, parts: Option<(usize, usize)>) {
        self.emit(&Event::Progress(Progress {
            phase: self.id,
            parts,
            message: &message,
        }));
    }

    /// Reports how far a search is: `what` says what it does.
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
