//! How results are shown.

use crate::text::{LibraryTerms, Message, Task, Terms};

/// How a result is shown.
#[derive(Clone, Copy)]
pub struct Style<'t> {
    /// What settings and tasks are called.
    pub terms: &'t dyn Terms,
    /// Whether lists are shown in full, and details as well.
    pub all: bool,
    /// What a reader says to see [all](Self::all) of it, such as `-v`; empty where there is no way.
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
    /// The same with everything shown.
    #[must_use]
    pub fn in_full(self) -> Self {
        Self { all: true, ..self }
    }

    /// What a setting or task is called.
    pub(super) fn term(&self, named: impl Into<Message>) -> String {
        named.into().in_terms_of(self.terms)
    }

    /// A call of what does a task, with arguments.
    pub(super) fn call(&self, task: Task, arguments: &str) -> String {
        let name = self.term(task);
        format!("{} {arguments}", name.trim_matches('`'))
    }

    /// How many entries of a list are shown.
    pub(super) fn shown(&self, n: usize, most: usize) -> usize {
        match self.all {
            true => n,
            false => n.min(most),
        }
    }

    /// The line in place of the entries of a list that aren't shown.
    pub(super) fn more(&self, n: usize) -> String {
        match self.all_by {
            "" => format!("... and {n} more"),
            all_by => format!("... and {n} more ({all_by} shows them)"),
        }
    }
}
