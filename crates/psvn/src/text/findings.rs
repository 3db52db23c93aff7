//! Findings in a text, as data.

use psvn_syntax::{Diagnostic, LineIndex};
use schemars::JsonSchema;
use serde::Serialize;

use super::Source;

/// The errors and warnings about a text.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Findings {
    /// The name of the text.
    pub file: String,
    /// The number of errors.
    pub errors: usize,
    /// The number of warnings.
    pub warnings: usize,
    /// The errors and warnings.
    pub diagnostics: Vec<Finding>,
}

/// An error or a warning.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Finding {
    /// `error` or `warning`.
    pub severity: &'static str,
    /// The code of its kind.
    pub code: &'static str,
    /// The problem.
    pub message: String,
    /// The name of the text.
    pub file: String,
    /// The line, from 1; `None` where the finding has no place.
    pub line: Option<usize>,
    /// The column in characters, from 1.
    pub column: Option<usize>,
    /// A hint: what to do about it.
    pub hint: Option<String>,
    /// The number of findings of one cause that this one represents, itself included.
    pub count: usize,
    /// The first of the others.
    pub others: Vec<OtherFinding>,
}

/// A finding that another one represents.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct OtherFinding {
    /// The problem.
    pub message: String,
    /// The line, from 1.
    pub line: Option<usize>,
    /// The column in characters, from 1.
    pub column: Option<usize>,
}

impl Findings {
    /// Collect the findings in a text.
    pub fn of(source: &Source) -> Self {
        let index = LineIndex::new(&source.text);
        let place = |diagnostic: &Diagnostic| {
            let label = diagnostic.primary.as_ref()?;
            Some(index.line_column(label.span.start))
        };
        let other = |other: &Diagnostic| OtherFinding {
            message: other.message.clone(),
            line: place(other).map(|(line, _)| line),
            column: place(other).map(|(_, column)| column),
        };
        let finding = |diagnostic: &Diagnostic| Finding {
            severity: diagnostic.severity.as_str(),
            code: diagnostic.code,
            message: diagnostic.message.clone(),
            file: source.name.clone(),
            line: place(diagnostic).map(|(line, _)| line),
            column: place(diagnostic).map(|(_, column)| column),
            hint: diagnostic.hint.clone(),
            count: 1 + diagnostic.n_others,
            others: diagnostic.others.iter().map(other).collect(),
        };
        let errors = source.diagnostics.iter().filter(|it| it.is_error()).count();
        Self {
            file: source.name.clone(),
            errors,
            warnings: source.diagnostics.len() - errors,
            diagnostics: source.diagnostics.iter().map(finding).collect(),
        }
    }
}
