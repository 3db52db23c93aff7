//! Words by kind, as numbers relative to each other.

use lsp_types::{SemanticToken, SemanticTokenModifiers, SemanticTokenTypes, SemanticTokens};

use super::view::View;
use crate::TokenKind;

/// The kinds of words in the terms of the protocol, in the order of their numbers.
const KINDS: [(TokenKind, SemanticTokenTypes); 8] = [
    (TokenKind::Keyword, SemanticTokenTypes::Keyword),
    (TokenKind::Number, SemanticTokenTypes::Number),
    (TokenKind::Operator, SemanticTokenTypes::Operator),
    (TokenKind::Domain, SemanticTokenTypes::Type),
    (TokenKind::Value, SemanticTokenTypes::EnumMember),
    (TokenKind::Symbol, SemanticTokenTypes::Variable),
    (TokenKind::Label, SemanticTokenTypes::Function),
    (TokenKind::Comment, SemanticTokenTypes::Comment),
];

pub(super) fn kinds() -> Vec<String> {
    KINDS.iter().map(|(_, kind)| kind.to_string()).collect()
}

pub(super) fn modifiers() -> Vec<String> {
    vec![SemanticTokenModifiers::Declaration.to_string()]
}

impl View {
    /// All words that have a kind.
    pub(super) fn tokens(&self) -> SemanticTokens {
        let (mut line, mut column) = (0, 0);
        let mut data = Vec::new();
        for token in self.document.tokens() {
            let start = self.position(token.span.start);
            let kind = KINDS.iter().position(|(kind, _)| *kind == token.kind);
            let Some(kind) = kind.and_then(|kind| u32::try_from(kind).ok()) else {
                continue;
            };
            if start.line != line {
                column = 0;
            }
            let word = &self.document.text()[token.span.start..token.span.end];
            data.push(SemanticToken {
                delta_line: start.line - line,
                delta_start: start.character - column,
                length: self.client.encoding.length(word),
                token_type: kind,
                token_modifiers_bitset: u32::from(token.is_declaration),
            });
            (line, column) = (start.line, start.character);
        }
        SemanticTokens::new(None, data)
    }
}
