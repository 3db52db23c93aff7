//! Styles of results.

use crate::text::{LibraryTerms, Message, Task, Terms};

/// The style of a result.
#[derive(Clone, Copy)]
pub struct Style<'t> {
    /// The names of settings and tasks.
    pub terms: &'t dyn Terms,
    /// Whether lists are shown in full, with details.
    pub all: bool,
    /// The option that shows [all](Self::all), such as `-v`; empty where there is none.
    pub all_by: &'t str,
}

impl Default for Style<'_> {
    fn default() -> Self {
        Self {
            terms: &LibraryTerms,
            all: false,
            all_by: "",
        }
    }
}

impl<'t> Style<'t> {
    /// Return the same style with everything shown.
    #[must_use]
    pub fn in_full(self) -> Self {
        Self { all: true, ..self }
    }

    /// Return the name of a setting or task.
    pub(super) fn term(&self, named: impl Into<Message>) -> String {
        named.into().in_terms_of(self.terms)
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
        match self.all_by {
            "" => format!("... and {n} more"),
            all_by => format!("... and {n} more ({all_by} shows them)"),
        }
    }
}
