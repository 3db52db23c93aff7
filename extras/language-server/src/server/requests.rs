//! Requests about documents: which answer belongs to which method.

use lsp_server::{ErrorCode, Request};
use lsp_types::{
    CodeActionParams, CodeActionRequest, CodeActionResponse, CompletionParams, CompletionRequest,
    Definition, DefinitionParams, DefinitionRequest, DocumentFormattingParams,
    DocumentFormattingRequest, DocumentHighlightParams, DocumentHighlightRequest,
    DocumentSymbolParams, DocumentSymbolRequest, DocumentSymbolResponse, FoldingRangeParams,
    FoldingRangeRequest, HoverParams, HoverRequest, InlayHintParams, InlayHintRequest,
    LspRequestMethod, PrepareRenameParams, PrepareRenameRequest, PrepareRenameResult,
    ReferenceParams, ReferencesRequest, RenameParams, RenameRequest, Request as Method,
    SemanticTokensParams, SemanticTokensRequest, TextDocumentPositionParams, Uri,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::view::View;
use crate::RenameError;

/// Why a request isn't answered.
#[derive(Debug)]
pub(super) struct Refusal {
    pub(super) code: ErrorCode,
    pub(super) message: String,
}

impl From<RenameError> for Refusal {
    fn from(error: RenameError) -> Self {
        Self {
            code: ErrorCode::RequestFailed,
            message: error.to_string(),
        }
    }
}

/// Read the parameters of a message.
pub(super) fn params<P: DeserializeOwned>(sent: Value) -> Result<P, Refusal> {
    serde_json::from_value(sent).map_err(|error| Refusal {
        code: ErrorCode::InvalidParams,
        message: error.to_string(),
    })
}

/// Return a result as it is sent.
pub(super) fn value(result: impl Serialize) -> Result<Value, Refusal> {
    serde_json::to_value(result).map_err(|error| Refusal {
        code: ErrorCode::InternalError,
        message: error.to_string(),
    })
}

/// Where requests find documents.
type Views<'v> = dyn FnMut(&Uri) -> Option<View> + 'v;

/// Return the result of a request.
pub(super) fn result(request: Request, views: &mut Views<'_>) -> Result<Value, Refusal> {
    let sent = request.params;
    match LspRequestMethod::from(request.method.as_str()) {
        LspRequestMethod::TextDocumentHover => at::<HoverRequest>(sent, views, |view, asked| {
            Ok(view.hover(place(asked).position))
        }),
        LspRequestMethod::TextDocumentDefinition => {
            at::<DefinitionRequest>(sent, views, |view, asked| {
                let found = view.definition(place(asked).position);
                Ok(found.map(|found| Definition::Location(found).into()))
            })
        }
        LspRequestMethod::TextDocumentReferences => {
            at::<ReferencesRequest>(sent, views, |view, asked| {
                let with_declaration = asked.context.include_declaration;
                Ok(Some(
                    view.references(place(asked).position, with_declaration),
                ))
            })
        }
        LspRequestMethod::TextDocumentDocumentHighlight => {
            at::<DocumentHighlightRequest>(sent, views, |view, asked| {
                Ok(Some(view.highlights(place(asked).position)))
            })
        }
        LspRequestMethod::TextDocumentCompletion => {
            at::<CompletionRequest>(sent, views, |view, asked| {
                Ok(Some(view.completion(place(asked).position).into()))
            })
        }
        LspRequestMethod::TextDocumentPrepareRename => {
            at::<PrepareRenameRequest>(sent, views, |view, asked| {
                let found = view.renamable(place(asked).position)?;
                Ok(Some(PrepareRenameResult::PrepareRenamePlaceholder(found)))
            })
        }
        LspRequestMethod::TextDocumentRename => at::<RenameRequest>(sent, views, |view, asked| {
            Ok(Some(view.rename(place(asked).position, &asked.new_name)?))
        }),
        LspRequestMethod::TextDocumentFormatting => {
            at::<DocumentFormattingRequest>(sent, views, |view, _| Ok(view.format()))
        }
        LspRequestMethod::TextDocumentCodeAction => {
            at::<CodeActionRequest>(sent, views, |view, asked| {
                let actions = view.actions(asked).into_iter();
                Ok(Some(actions.map(CodeActionResponse::CodeAction).collect()))
            })
        }
        LspRequestMethod::TextDocumentInlayHint => {
            at::<InlayHintRequest>(sent, views, |view, asked| Ok(Some(view.hints(asked.range))))
        }
        LspRequestMethod::TextDocumentSemanticTokensFull => {
            at::<SemanticTokensRequest>(sent, views, |view, _| Ok(Some(view.tokens())))
        }
        LspRequestMethod::TextDocumentDocumentSymbol => {
            at::<DocumentSymbolRequest>(sent, views, |view, _| {
                let symbols = view.symbols();
                Ok(Some(DocumentSymbolResponse::DocumentSymbolList(symbols)))
            })
        }
        LspRequestMethod::TextDocumentFoldingRange => {
            at::<FoldingRangeRequest>(sent, views, |view, _| Ok(Some(view.foldings())))
        }
        _ => Err(Refusal {
            code: ErrorCode::MethodNotFound,
            message: format!("`{}` isn't known", request.method),
        }),
    }
}

/// Answer a request about a document.
fn at<M: Method>(
    sent: Value,
    views: &mut Views<'_>,
    answer: impl FnOnce(&View, &M::Params) -> Result<M::Result, Refusal>,
) -> Result<Value, Refusal>
where
    M::Params: OfDocument,
{
    let asked: M::Params = params(sent)?;
    let uri = asked.uri();
    let view = views(uri).ok_or_else(|| Refusal {
        code: ErrorCode::InvalidParams,
        message: format!("`{}` isn't open", uri.0),
    })?;
    value(answer(&view, &asked)?)
}

/// Parameters that name a document.
trait OfDocument {
    fn uri(&self) -> &Uri;
}

/// Parameters that name a place in a document.
trait OfPlace {
    fn place(&self) -> &TextDocumentPositionParams;
}

fn place(asked: &impl OfPlace) -> &TextDocumentPositionParams {
    asked.place()
}

macro_rules! of_place {
    ($($params:ty),+) => {
        $(
            impl OfPlace for $params {
                fn place(&self) -> &TextDocumentPositionParams {
                    &self.text_document_position_params
                }
            }

            impl OfDocument for $params {
                fn uri(&self) -> &Uri {
                    &self.text_document_position_params.text_document.uri
                }
            }
        )+
    };
}

macro_rules! of_document {
    ($($params:ty),+) => {
        $(
            impl OfDocument for $params {
                fn uri(&self) -> &Uri {
                    &self.text_document.uri
                }
            }
        )+
    };
}

of_place!(
    CompletionParams,
    DefinitionParams,
    DocumentHighlightParams,
    HoverParams,
    PrepareRenameParams,
    ReferenceParams,
    RenameParams
);
of_document!(
    CodeActionParams,
    DocumentFormattingParams,
    DocumentSymbolParams,
    FoldingRangeParams,
    InlayHintParams,
    SemanticTokensParams
);
