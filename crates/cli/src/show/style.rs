//! Styles of results.

use psvn::text::{Message, Task};

use crate::output::terms::CommandTerms;

/// The style of a result.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    /// Whether lists are shown in full, with details.
    pub(crate) all: bool,
    /// The option that shows [all](Self::all).
    pub(crate) all_by: &'static str,
}

impl Style {
    /// Return the same style with everything shown.
    #[must_use]
    pub(super) fn in_full(self) -> Self {
        Self { all: true, ..self }
    }

    /// Return the option or command of a setting or task.
    pub(super) fn term(&self, named: impl Into<Message>) -> String {
        named.into().in_terms_of(&CommandTerms)
    }

    /// Return the call that does a task, with arguments.
    pub(super) fn call(&self, task: Task, arguments: &str) -> String {
        let name = self.term(task);
        format!("{} {arguments}", name.trim_matches('`'))
    }

    /// Return the number of entries of a list that are shown.
    pub(super) fn shown(&self, n: usize, most: usize) -> usize {
        if self.all { n } else { n.min(most) }
    }

    /// Return the line in place of the entries of a list that aren't shown.
    pub(super) fn more(&self, n: usize) -> String {
        format!("... and {n} more ({} shows them)", self.all_by)
    }
}
