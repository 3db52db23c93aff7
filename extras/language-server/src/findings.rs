//! Errors and warnings about a text, as an editor shows them.

use psvn::text::CodeExplanation;
use psvn_syntax::{Diagnostic, Severity, Span};

use crate::document::Document;

/// An error or a warning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Its severity.
    pub severity: Severity,
    /// The name of its kind, such as `no-inverse`.
    pub code: &'static str,
    /// The problem, and on lines of their own what the caret and the hint say.
    pub message: String,
    /// Its place; the beginning of the text where it has none.
    pub span: Span,
    /// Other places that matter, each with a few words.
    pub related: Vec<(Span, String)>,
    /// Whether the text there has no effect, so that it may be shown faded.
    pub is_unnecessary: bool,
}

/// The codes of what could be deleted without changing the game's states.
const UNNECESSARY: [&str; 3] = ["dead-rule", "duplicate-rule", "unused-value"];

impl Document {
    /// Return all errors and warnings, as `psvn check` has them. A finding that stands for others
    /// is followed by those.
    pub fn findings(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        for diagnostic in self.examined_diagnostics() {
            let n_left = diagnostic.n_others - diagnostic.others.len().min(diagnostic.n_others);
            let mut finding = self.finding(diagnostic);
            if n_left > 0 {
                finding.message += &format!("\n{n_left} more of this kind");
            }
            findings.push(finding);
            findings.extend(diagnostic.others.iter().map(|other| self.finding(other)));
        }
        findings
    }

    fn finding(&self, diagnostic: &Diagnostic) -> Finding {
        let mut message = diagnostic.message.clone();
        let caret = diagnostic.primary.as_ref().map_or("", |label| &label.text);
        if !caret.is_empty() {
            message += &format!("\n{caret}");
        }
        if let Some(hint) = &diagnostic.hint {
            message += &format!("\nhelp: {hint}");
        }
        let label = |label: &psvn_syntax::Label| (self.clamped(label.span), label.text.clone());
        Finding {
            severity: diagnostic.severity,
            code: diagnostic.code,
            message,
            span: diagnostic
                .primary
                .as_ref()
                .map_or(Span::new(0, 0), |label| self.clamped(label.span)),
            related: diagnostic.secondary.iter().map(label).collect(),
            is_unnecessary: UNNECESSARY.contains(&diagnostic.code),
        }
    }

    /// A place within the text.
    fn clamped(&self, span: Span) -> Span {
        let text = self.text();
        let end = text.floor_char_boundary(span.end.min(text.len()));
        Span::new(text.floor_char_boundary(span.start.min(end)), end)
    }
}

/// Return the meaning of a code, why it matters, and what to do about it.
pub fn explanation(code: &str) -> Option<&'static str> {
    CodeExplanation::named(code).map(|code| code.explanation)
}
