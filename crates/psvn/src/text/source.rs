//! Texts with names and findings.

use psvn_syntax::Diagnostic;

/// A text with its name and the diagnostics about it.
#[derive(Clone, Debug)]
pub struct Source {
    /// The file's name, `<stdin>`, or the reference to a built-in game.
    pub name: String,
    /// The text.
    pub text: String,
    /// The errors and warnings found so far.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether a generator made the text. Warnings about such a text wouldn't help its user.
    pub is_built_in: bool,
    /// Whether bytes of a file that aren't UTF-8 were replaced in the text.
    pub is_lossy: bool,
}

impl Source {
    /// A text that hasn't been examined.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            text: text.into(),
            diagnostics: Vec::new(),
            is_built_in: false,
            is_lossy: false,
        }
    }

    /// Put diagnostics in the order of their places; those without one go first.
    pub(crate) fn sort_diagnostics(&mut self) {
        self.diagnostics.sort_by_key(|diagnostic| {
            diagnostic
                .primary
                .as_ref()
                .map(|label| label.span.start)
                // Remarks like "and 7 more errors" have no place and belong to the end.
                .or_else(|| {
                    diagnostic
                        .code
                        .starts_with("too-many")
                        .then_some(usize::MAX)
                })
        });
    }
}
