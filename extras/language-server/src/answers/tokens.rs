//! The words of a text by kind, for colors.

use psvn_syntax::Span;

use crate::document::Document;
use crate::words::Role;

/// What a word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// `DOMAIN`, `LABEL`, and the letters of projections.
    Keyword,
    /// A size, a count or a cost.
    Number,
    /// `=>` and `-`.
    Operator,
    /// The name of a domain.
    Domain,
    /// A value.
    Value,
    /// A variable symbol.
    Symbol,
    /// The label of a rule.
    Label,
    /// A comment, or a part of one.
    Comment,
}

/// A word with its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// Its place, on one line.
    pub span: Span,
    /// Its kind.
    pub kind: TokenKind,
    /// Whether a name is declared here.
    pub is_declaration: bool,
}

impl Document {
    /// Return the words that have a kind, and the comments, in order of place.
    pub fn tokens(&self) -> Vec<Token> {
        let words = self.words.all().iter().filter_map(|word| {
            let kind = match word.role {
                Role::Keyword | Role::Letter => TokenKind::Keyword,
                Role::Number => TokenKind::Number,
                Role::Arrow | Role::Dash => TokenKind::Operator,
                Role::Domain => TokenKind::Domain,
                Role::Value => TokenKind::Value,
                Role::Symbol => TokenKind::Symbol,
                Role::Label => TokenKind::Label,
                Role::Other => return None,
            };
            Some(Token {
                span: word.span,
                kind,
                is_declaration: word.is_declaration,
            })
        });
        let mut tokens: Vec<Token> = words.collect();
        for comment in &self.file().comments {
            let mut start = comment.span.start;
            let inside = self.words.within(comment.span).iter();
            let ends = inside.map(|word| word.span);
            for word in ends.chain([Span::new(comment.span.end, comment.span.end)]) {
                if start < word.start {
                    tokens.push(Token {
                        span: Span::new(start, word.start),
                        kind: TokenKind::Comment,
                        is_declaration: false,
                    });
                }
                start = word.end.max(start);
            }
        }
        tokens.sort_by_key(|token| token.span.start);
        tokens
    }
}
