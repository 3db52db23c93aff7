//! The tokens that the grammar reads: words whose role the layout pass has settled.
//!
//! The words of a row are one token, or a few if there are thousands. What a row holds was counted
//! before, so a parser that went through it word by word would learn nothing, and that took most of
//! the time of a large file.

use crate::Span;
use crate::text::lexer::Lexeme;

/// A word with its role, or the words of a row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token<'plan> {
    /// The role.
    pub(crate) role: Role,
    /// The user's words. A token of no width has the word behind it.
    pub(crate) words: Run<'plan>,
}

/// Consecutive words of a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run<'plan> {
    pub(super) source: &'plan str,
    pub(super) lexemes: &'plan [Lexeme],
}

impl<'plan> Run<'plan> {
    /// The text from the first word to the last.
    pub(crate) fn text(self) -> &'plan str {
        match (self.lexemes.first(), self.lexemes.last()) {
            (Some(first), Some(last)) => &self.source[first.span().start..last.span().end],
            _ => "",
        }
    }

    /// Each word and its place.
    pub(crate) fn iter(self) -> impl ExactSizeIterator<Item = (&'plan str, Span)> {
        self.lexemes.iter().map(move |lexeme| {
            let span = lexeme.span();
            (&self.source[span.start..span.end], span)
        })
    }
}

/// The role of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// `DOMAIN`
    Domain,
    /// Of no width: the number of variables follows.
    VariablesStart,
    /// Of no width: a rule follows. Nothing in the text marks this place.
    RuleStart,
    /// `GOAL`
    Goal,
    /// `abstraction`
    Abstraction,
    /// `projection`
    Projection,
    /// `pieces`
    Pieces,
    /// `=>`
    Arrow,
    /// `LABEL`
    Label,
    /// `COST`
    Cost,
    /// `{`
    Open,
    /// `}`
    Close,
    /// A number of things; made of digits, and fits.
    Number,
    /// A name, a cost.
    Word,
    /// Names, values or cells, as many as the layout pass has counted, or the first or next of
    /// them; perhaps none.
    Row,
    /// Of no width: the construct that began here is wrong and has been reported. No production has
    /// this token, so the grammar recovers at the next beginning.
    Damaged,
}

impl Role {
    /// Whether the token is a word of the text, and not a mark between words.
    pub(crate) fn has_width(self) -> bool {
        !matches!(self, Role::VariablesStart | Role::RuleStart | Role::Damaged)
    }
}
