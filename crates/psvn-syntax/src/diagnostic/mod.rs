//! Errors and warnings as data: what is wrong, where, and how to fix it.
//!
//! This module renders no text for a terminal. One value serves a terminal, JSON and an editor.

pub(crate) mod line_index;
#[cfg(feature = "parser")]
pub(crate) mod report;
pub(crate) mod span;

use crate::Span;

/// How bad a [`Diagnostic`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The file is valid, but probably does not mean what its writer intended.
    Warning,
    /// The file can't be used.
    Error,
}

impl Severity {
    /// `"warning"` or `"error"`.
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// A place that a diagnostic points to, with a few words for the caret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// The words at the caret; may be empty.
    pub text: String,
}

/// One finding in a source text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// Stable name of the kind of finding, in kebab case, such as `wrong-row-length`.
    pub code: &'static str,
    /// One sentence without a full stop.
    pub message: String,
    /// The main place; `None` when the finding has none (an empty file, a game built in code).
    pub primary: Option<Label>,
    /// Other places that matter, such as the first of two declarations.
    pub secondary: Vec<Label>,
    /// How to fix it.
    pub hint: Option<String>,
    /// The number of further findings of the same cause that this one stands for.
    pub n_others: usize,
    /// The first of those, in order of place.
    pub others: Vec<Diagnostic>,
}

/// The finding on one line: `error[code]: message`, with the hint in parentheses.
impl std::fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{}[{}]: {}",
            self.severity.as_str(),
            self.code,
            self.message
        )?;
        match &self.hint {
            Some(hint) => write!(f, " ({hint})"),
            None => Ok(()),
        }
    }
}

impl Diagnostic {
    /// An error without a place.
    pub fn error(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, message)
    }

    /// A warning without a place.
    pub fn warning(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, message)
    }

    fn new(severity: Severity, code: &'static str, message: impl Into<String>) -> Self {
        Self {
            severity,
            code,
            message: message.into(),
            primary: None,
            secondary: Vec::new(),
            hint: None,
            n_others: 0,
            others: Vec::new(),
        }
    }

    /// Set the main place and the words at its caret.
    pub fn at(mut self, span: Span, text: impl Into<String>) -> Self {
        self.primary = Some(Label {
            span,
            text: text.into(),
        });
        self
    }

    /// Like [`Diagnostic::at`] for a place that may be unknown.
    pub fn at_maybe(self, span: Option<Span>, text: impl Into<String>) -> Self {
        match span {
            Some(span) => self.at(span, text),
            None => self,
        }
    }

    /// Add another place.
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Self {
        self.secondary.push(Label {
            span,
            text: text.into(),
        });
        self
    }

    /// Set the hint.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Let this finding stand for another with the same cause. The first `most_kept` of them
    /// are kept; all are counted.
    pub fn stand_for(&mut self, other: Diagnostic, most_kept: usize) {
        self.n_others += 1;
        if self.others.len() < most_kept {
            self.others.push(other);
        }
    }

    /// Return whether this is an error.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
