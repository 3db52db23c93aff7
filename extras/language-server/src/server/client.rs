//! What a client can do, and what the server offers it.

use lsp_types::{
    ClientCapabilities, CodeActionKind, CodeActionOptions, CompletionOptions, Full,
    InitializeParams, InitializeResult, MarkupKind, RenameOptions, SemanticTokensLegend,
    SemanticTokensOptions, ServerCapabilities, ServerInfo, TextDocumentSyncKind,
    TextDocumentSyncOptions,
};

use super::positions::Encoding;
use super::tokens;

/// What matters of a client's capabilities.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Client {
    pub(super) encoding: Encoding,
    /// Whether it shows Markdown.
    pub(super) has_markdown: bool,
    /// Whether it shows the related places of a diagnostic.
    pub(super) has_related_places: bool,
}

impl Client {
    pub(super) fn of(params: &InitializeParams) -> Self {
        let ClientCapabilities {
            general,
            text_document,
            ..
        } = &params.capabilities;
        let encodings = general
            .as_ref()
            .and_then(|general| general.position_encodings.as_deref());
        let hover = text_document.as_ref().and_then(|it| it.hover.as_ref());
        let formats = hover.and_then(|hover| hover.content_format.as_deref());
        let diagnostics = text_document
            .as_ref()
            .and_then(|it| it.publish_diagnostics.as_ref());
        Self {
            encoding: Encoding::among(encodings.unwrap_or_default()),
            has_markdown: formats.is_some_and(|it| it.contains(&MarkupKind::Markdown)),
            has_related_places: diagnostics
                .and_then(|it| it.diagnostics_capabilities.related_information)
                .unwrap_or_default(),
        }
    }

    /// What the server offers.
    pub(super) fn offer(self) -> InitializeResult {
        let capabilities = ServerCapabilities {
            position_encoding: Some(self.encoding.kind()),
            text_document_sync: Some(
                TextDocumentSyncOptions {
                    open_close: Some(true),
                    change: Some(TextDocumentSyncKind::Incremental),
                    ..TextDocumentSyncOptions::default()
                }
                .into(),
            ),
            hover_provider: Some(true.into()),
            // No character triggers it: a blank would, behind every word.
            completion_provider: Some(CompletionOptions::default()),
            definition_provider: Some(true.into()),
            references_provider: Some(true.into()),
            document_highlight_provider: Some(true.into()),
            document_symbol_provider: Some(true.into()),
            code_action_provider: Some(
                CodeActionOptions {
                    code_action_kinds: Some(vec![
                        CodeActionKind::QuickFix,
                        CodeActionKind::SourceFixAll,
                    ]),
                    ..CodeActionOptions::default()
                }
                .into(),
            ),
            document_formatting_provider: Some(true.into()),
            rename_provider: Some(
                RenameOptions {
                    prepare_provider: Some(true),
                    ..RenameOptions::default()
                }
                .into(),
            ),
            folding_range_provider: Some(true.into()),
            inlay_hint_provider: Some(true.into()),
            semantic_tokens_provider: Some(
                SemanticTokensOptions {
                    legend: SemanticTokensLegend::new(tokens::kinds(), tokens::modifiers()),
                    full: Some(Full::Bool(true)),
                    ..SemanticTokensOptions::default()
                }
                .into(),
            ),
            ..ServerCapabilities::default()
        };
        InitializeResult::new(
            capabilities,
            Some(ServerInfo::new(
                "psvn".to_owned(),
                Some(env!("CARGO_PKG_VERSION").to_owned()),
            )),
        )
    }
}
