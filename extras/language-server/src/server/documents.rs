//! The documents that a client has open.

use std::collections::BTreeMap;
use std::sync::Arc;

use lsp_types::{TextDocumentContentChangeEvent, Uri};

use super::client::Client;
use super::positions::Lines;
use super::view::View;
use crate::{Document, Edit, edited};

/// A document that a client has open.
#[derive(Debug)]
struct Open {
    text: String,
    /// The version by the client's count.
    version: i32,
    /// Read when something is asked about it, since it may change again before.
    view: Option<View>,
    /// Whether its findings were asked for since it changed.
    is_examined: bool,
}

/// All documents that are open, by their addresses.
#[derive(Debug, Default)]
pub(super) struct Documents {
    open: BTreeMap<String, Open>,
}

impl Documents {
    pub(super) fn open(&mut self, uri: &Uri, version: i32, text: String) {
        let open = Open {
            text,
            version,
            view: None,
            is_examined: false,
        };
        self.open.insert(uri.0.clone(), open);
    }

    pub(super) fn close(&mut self, uri: &Uri) {
        self.open.remove(&uri.0);
    }

    /// Change a document; nothing happens to one that isn't open.
    pub(super) fn change(
        &mut self,
        uri: &Uri,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
        client: Client,
    ) {
        let Some(open) = self.open.get_mut(&uri.0) else {
            tracing::debug!(uri = uri.0, "a change of a document that isn't open");
            return;
        };
        for change in changes {
            match change {
                TextDocumentContentChangeEvent::TextDocumentContentChangePartial(change) => {
                    let lines = Lines::of(&open.text, client.encoding);
                    let edit = Edit {
                        span: lines.span(&open.text, change.range),
                        text: change.text,
                    };
                    open.text = edited(&open.text, &[edit]);
                }
                TextDocumentContentChangeEvent::TextDocumentContentChangeWholeDocument(change) => {
                    open.text = change.text;
                }
            }
        }
        open.version = version;
        open.view = None;
        open.is_examined = false;
    }

    /// Return a document as it is now.
    pub(super) fn view(&mut self, uri: &Uri, client: Client) -> Option<&View> {
        let open = self.open.get_mut(&uri.0)?;
        Some(open.view.get_or_insert_with(|| View {
            uri: uri.clone(),
            lines: Arc::new(Lines::of(&open.text, client.encoding)),
            document: Arc::new(Document::new(open.text.as_str())),
            client,
        }))
    }

    /// Return the documents whose findings weren't asked for since they changed.
    pub(super) fn take_changed(&mut self, client: Client) -> Vec<View> {
        let changed = self.open.iter().filter(|(_, open)| !open.is_examined);
        let changed: Vec<Uri> = changed.map(|(uri, _)| Uri(uri.clone())).collect();
        let view = |uri: Uri| {
            self.open.get_mut(&uri.0)?.is_examined = true;
            self.view(&uri, client).cloned()
        };
        changed.into_iter().filter_map(view).collect()
    }

    /// Return the version of a document, if it is still the one of a view.
    pub(super) fn version_of(&self, view: &View) -> Option<i32> {
        let open = self.open.get(&view.uri.0)?;
        let now = &open.view.as_ref()?.document;
        Arc::ptr_eq(now, &view.document).then_some(open.version)
    }
}
