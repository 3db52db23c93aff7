//! The answers of a document in the types of the protocol.

use std::collections::HashMap;

use lsp_types::{
    CodeAction, CodeActionKind, CodeActionParams, CompletionItem, CompletionItemKind,
    CompletionItemTextEdit, CompletionList, Contents, Diagnostic, DiagnosticRelatedInformation,
    DiagnosticSeverity, DiagnosticTag, DocumentHighlight, DocumentHighlightKind, DocumentSymbol,
    FoldingRange, FoldingRangeKind, Hover, InlayHint, Location, MarkupContent, MarkupKind,
    Position, PrepareRenamePlaceholder, Range, SymbolKind, TextEdit, WorkspaceEdit,
};
use psvn_syntax::Severity;

use super::view::View;
use crate::{
    Action, Certainty, Completion, CompletionKind, Finding, Hint, Part, PartKind, RenameError,
};

impl View {
    fn markup(&self, text: String) -> MarkupContent {
        let kind = if self.client.has_markdown {
            MarkupKind::Markdown
        } else {
            MarkupKind::PlainText
        };
        MarkupContent::new(kind, text)
    }

    pub(super) fn hover(&self, position: Position) -> Option<Hover> {
        let hover = self.document.hover(self.offset(position))?;
        let contents = Contents::MarkupContent(self.markup(hover.text));
        Some(Hover::new(contents, Some(self.range(hover.span))))
    }

    pub(super) fn definition(&self, position: Position) -> Option<Location> {
        let span = self.document.definition(self.offset(position))?;
        Some(Location::new(self.uri.clone(), self.range(span)))
    }

    pub(super) fn references(&self, position: Position, with_declaration: bool) -> Vec<Location> {
        let all = self.document.references(self.offset(position)).into_iter();
        let wanted = all.filter(|it| with_declaration || !it.is_declaration);
        wanted
            .map(|it| Location::new(self.uri.clone(), self.range(it.span)))
            .collect()
    }

    pub(super) fn highlights(&self, position: Position) -> Vec<DocumentHighlight> {
        let all = self.document.references(self.offset(position)).into_iter();
        let highlight = |it: crate::Reference| {
            let kind = if it.is_declaration {
                DocumentHighlightKind::Write
            } else {
                DocumentHighlightKind::Read
            };
            DocumentHighlight::new(self.range(it.span), Some(kind))
        };
        all.map(highlight).collect()
    }

    pub(super) fn completion(&self, position: Position) -> CompletionList {
        let found = self.document.completion(self.offset(position));
        let range = self.range(found.span);
        let item = |(number, completion): (usize, Completion)| CompletionItem {
            kind: Some(match completion.kind {
                CompletionKind::Symbol => CompletionItemKind::Variable,
                CompletionKind::Value => CompletionItemKind::EnumMember,
                CompletionKind::Operator => CompletionItemKind::Operator,
                CompletionKind::Domain => CompletionItemKind::Enum,
                CompletionKind::Label => CompletionItemKind::Function,
                CompletionKind::Keyword => CompletionItemKind::Keyword,
            }),
            detail: Some(completion.detail),
            // Clients sort by the words otherwise.
            sort_text: Some(format!("{number:05}")),
            text_edit: Some(CompletionItemTextEdit::TextEdit(TextEdit::new(
                range,
                completion.word.clone(),
            ))),
            label: completion.word,
            ..CompletionItem::default()
        };
        let items = found.items.into_iter().enumerate().map(item).collect();
        CompletionList {
            is_incomplete: false,
            items,
            ..CompletionList::default()
        }
    }

    pub(super) fn renamable(
        &self,
        position: Position,
    ) -> Result<PrepareRenamePlaceholder, RenameError> {
        let span = self.document.renamable(self.offset(position))?;
        let name = self.document.text()[span.start..span.end].to_owned();
        Ok(PrepareRenamePlaceholder::new(self.range(span), name))
    }

    pub(super) fn rename(
        &self,
        position: Position,
        name: &str,
    ) -> Result<WorkspaceEdit, RenameError> {
        let edits = self.document.rename(self.offset(position), name)?;
        Ok(self.workspace_edit(self.text_edits(edits)))
    }

    fn workspace_edit(&self, edits: Vec<TextEdit>) -> WorkspaceEdit {
        WorkspaceEdit {
            changes: Some(HashMap::from([(self.uri.clone(), edits)])),
            ..WorkspaceEdit::default()
        }
    }

    pub(super) fn format(&self) -> Option<Vec<TextEdit>> {
        Some(self.text_edits(self.document.format()?))
    }

    pub(super) fn actions(&self, params: &CodeActionParams) -> Vec<CodeAction> {
        let actions = self.document.actions(self.span(params.range)).into_iter();
        let action = |action: Action| {
            let kind = match action.settles {
                Some(_) => CodeActionKind::QuickFix,
                None => CodeActionKind::SourceFixAll,
            };
            let settled = params.context.diagnostics.iter().filter(|diagnostic| {
                action.settles.is_some_and(|(code, span)| {
                    diagnostic.code == Some(code.to_owned().into())
                        && self.range(span).start <= diagnostic.range.end
                        && diagnostic.range.start <= self.range(span).end
                })
            });
            CodeAction {
                title: action.title,
                kind: Some(kind),
                diagnostics: Some(settled.cloned().collect()),
                is_preferred: Some(
                    action.certainty == Certainty::Certain && action.settles.is_some(),
                ),
                edit: Some(self.workspace_edit(self.text_edits(action.edits))),
                ..CodeAction::default()
            }
        };
        let is_wanted = |action: &CodeAction| {
            let wanted = params.context.only.as_deref();
            wanted.is_none_or(|wanted| wanted.iter().any(|it| is_kind_of(action, it)))
        };
        actions.map(action).filter(is_wanted).collect()
    }

    pub(super) fn hints(&self, range: Range) -> Vec<InlayHint> {
        let hints = self.document.hints(self.span(range)).into_iter();
        let hint = |hint: Hint| {
            let more = hint.more.map(|more| self.markup(more).into());
            InlayHint::new(
                self.position(hint.offset),
                hint.text.into(),
                None,
                None,
                more,
                Some(!hint.is_before),
                Some(hint.is_before),
                None,
            )
        };
        hints.map(hint).collect()
    }

    pub(super) fn symbols(&self) -> Vec<DocumentSymbol> {
        let parts = self.document.outline().into_iter();
        parts.map(|part| self.symbol(part)).collect()
    }

    fn symbol(&self, part: Part) -> DocumentSymbol {
        let kind = match part.kind {
            PartKind::Domain => SymbolKind::Enum,
            PartKind::Variables => SymbolKind::Array,
            PartKind::Rule => SymbolKind::Function,
            PartKind::Goal => SymbolKind::Event,
            PartKind::Abstraction => SymbolKind::Namespace,
        };
        let parts: Vec<DocumentSymbol> = part.parts.into_iter().map(|it| self.symbol(it)).collect();
        DocumentSymbol::new(
            part.name,
            Some(part.detail).filter(|detail| !detail.is_empty()),
            kind,
            None,
            None,
            self.range(part.span),
            self.range(part.name_span),
            Some(parts).filter(|parts| !parts.is_empty()),
        )
    }

    pub(super) fn foldings(&self) -> Vec<FoldingRange> {
        let foldings = self.document.foldings().into_iter();
        let folding = |folding: crate::Folding| {
            let range = self.range(folding.span);
            let kind = folding.is_comment.then_some(FoldingRangeKind::Comment);
            FoldingRange::new(range.start.line, None, range.end.line, None, kind, None)
        };
        foldings.map(folding).collect()
    }

    pub(super) fn diagnostics(&self) -> Vec<Diagnostic> {
        let findings = self.document.findings().into_iter();
        findings.map(|finding| self.diagnostic(finding)).collect()
    }

    fn diagnostic(&self, finding: Finding) -> Diagnostic {
        let place = |(span, text): (psvn_syntax::Span, String)| {
            let location = Location::new(self.uri.clone(), self.range(span));
            DiagnosticRelatedInformation::new(location, text)
        };
        let related: Vec<DiagnosticRelatedInformation> =
            finding.related.into_iter().map(place).collect();
        Diagnostic {
            range: self.range(finding.span),
            severity: Some(match finding.severity {
                Severity::Error => DiagnosticSeverity::Error,
                Severity::Warning => DiagnosticSeverity::Warning,
            }),
            code: Some(finding.code.to_owned().into()),
            code_description: None,
            source: Some("psvn".to_owned()),
            message: finding.message.into(),
            tags: finding
                .is_unnecessary
                .then(|| vec![DiagnosticTag::Unnecessary]),
            related_information: Some(related)
                .filter(|it| self.client.has_related_places && !it.is_empty()),
            data: None,
        }
    }
}

/// Whether an action is of a kind: kinds have parts, separated by dots.
fn is_kind_of(action: &CodeAction, wanted: &CodeActionKind) -> bool {
    let own = action.kind.as_ref().map(ToString::to_string);
    let wanted = wanted.to_string();
    own.is_some_and(|own| {
        let rest = own.strip_prefix(&wanted);
        wanted.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    })
}
