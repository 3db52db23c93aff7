//! A document in the terms of the protocol.

use std::sync::Arc;

use lsp_types::{Position, Range, TextEdit, Uri};
use psvn_syntax::Span;

use super::client::Client;
use super::positions::Lines;
use crate::{Document, Edit};

/// An open document, as it is now.
#[derive(Clone, Debug)]
pub(super) struct View {
    pub(super) uri: Uri,
    pub(super) document: Arc<Document>,
    pub(super) lines: Arc<Lines>,
    pub(super) client: Client,
}

impl View {
    pub(super) fn offset(&self, position: Position) -> usize {
        self.lines.offset(self.document.text(), position)
    }

    pub(super) fn position(&self, offset: usize) -> Position {
        self.lines.position(self.document.text(), offset)
    }

    pub(super) fn range(&self, span: Span) -> Range {
        self.lines.range(self.document.text(), span)
    }

    pub(super) fn span(&self, range: Range) -> Span {
        self.lines.span(self.document.text(), range)
    }

    pub(super) fn text_edits(&self, edits: Vec<Edit>) -> Vec<TextEdit> {
        let edit = |edit: Edit| TextEdit::new(self.range(edit.span), edit.text);
        edits.into_iter().map(edit).collect()
    }
}
