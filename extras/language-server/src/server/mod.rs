//! The server: reads messages, answers them in order, and reports what it finds in open documents.
//!
//! One thread reads, and one looks for errors and warnings, which may take longer than an answer.
//! All else happens in the thread that called [`serve`].

mod answers;
mod client;
mod documents;
mod positions;
mod requests;
mod tokens;
mod transport;
mod view;

use std::collections::VecDeque;
use std::io::{self, BufReader, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::Builder;

use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::{
    CancelParams, DidChangeTextDocumentParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, Id, InitializeParams, LspNotificationMethod, LspRequestMethod,
    Notification as _, PublishDiagnosticsNotification, PublishDiagnosticsParams, Uri,
};
use serde_json::Value;

use self::client::Client;
use self::documents::Documents;
use self::requests::{Refusal, params};
pub use self::transport::ReadError;
use self::transport::{Incoming, write_refusal};
use self::view::View;

/// How a server ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The client asked for it, with `shutdown` and then `exit`.
    Orderly,
    /// The client sent `exit` without `shutdown`, or closed the stream.
    Abrupt,
}

/// Why a server can't go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// Nothing more can be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// Answers can't be written.
    #[error("can't write to the client: {0}")]
    Write(#[source] io::Error),
    /// A thread can't be started.
    #[error("can't start a thread: {0}")]
    Thread(#[source] io::Error),
}

/// What the server waits for.
enum Event {
    /// Something from the client, or why there is nothing more.
    Client(Result<Option<Incoming>, ReadError>),
    /// The errors and warnings of a document were found.
    Examined(View),
}

/// Answer a client that writes to `input` and reads from `output`, until it ends that.
///
/// # Errors
/// When what the client writes isn't the protocol, or answers can't be written.
pub fn serve(
    input: impl Read + Send + 'static,
    output: &mut impl Write,
) -> Result<Ending, ServeError> {
    let (events, waiting) = channel();
    let (examiner, to_examine) = channel();
    let read = events.clone();
    Builder::new()
        .name("client".to_owned())
        .spawn(move || forward(input, &read))
        .map_err(ServeError::Thread)?;
    Builder::new()
        .name("findings".to_owned())
        .spawn(move || examine(&to_examine, &events))
        .map_err(ServeError::Thread)?;
    let mut server = Server {
        output,
        events: waiting,
        queue: VecDeque::new(),
        examiner,
        documents: Documents::default(),
        client: Client::default(),
        phase: Phase::New,
    };
    server.run()
}

/// Hand on what a client sends.
fn forward(input: impl Read, events: &Sender<Event>) {
    let mut input = BufReader::new(input);
    loop {
        let incoming = transport::read(&mut input);
        let is_over = !matches!(incoming, Ok(Some(_)));
        if events.send(Event::Client(incoming)).is_err() || is_over {
            return;
        }
    }
}

/// Find the errors and warnings of documents; of several versions of one, those of the newest.
fn examine(documents: &Receiver<View>, events: &Sender<Event>) {
    let mut open: VecDeque<View> = VecDeque::new();
    loop {
        if open.is_empty() {
            let Ok(view) = documents.recv() else {
                return;
            };
            open.push_back(view);
        }
        for view in documents.try_iter() {
            open.retain(|other| other.uri != view.uri);
            open.push_back(view);
        }
        let Some(view) = open.pop_front() else {
            continue;
        };
        if catch_unwind(AssertUnwindSafe(|| view.document.findings())).is_err() {
            tracing::error!(uri = view.uri.0, "looking for errors failed");
            continue;
        }
        if events.send(Event::Examined(view)).is_err() {
            return;
        }
    }
}

/// How far a client is with the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// `initialize` must come first.
    New,
    Running,
    /// Only `exit` may follow.
    ShutDown,
}

struct Server<'o, W> {
    output: &'o mut W,
    events: Receiver<Event>,
    /// Events that have arrived, and wait for their turn.
    queue: VecDeque<Event>,
    examiner: Sender<View>,
    documents: Documents,
    client: Client,
    phase: Phase,
}

impl<W: Write> Server<'_, W> {
    fn run(&mut self) -> Result<Ending, ServeError> {
        loop {
            let incoming = match self.next() {
                Event::Client(incoming) => incoming?,
                Event::Examined(view) => {
                    self.publish_findings(&view)?;
                    continue;
                }
            };
            match incoming {
                None => return Ok(self.ending()),
                Some(Incoming::Wrong(code, message)) => {
                    write_refusal(self.output, code, &message).map_err(ServeError::Write)?;
                }
                Some(Incoming::Message(Message::Request(request))) => {
                    let response = self.answer(request);
                    self.send(response)?;
                }
                Some(Incoming::Message(Message::Notification(notification))) => {
                    if notification.method == LspNotificationMethod::Exit.as_str() {
                        return Ok(self.ending());
                    }
                    self.note(notification)?;
                }
                // The server asks nothing.
                Some(Incoming::Message(Message::Response(_))) => {}
            }
        }
    }

    fn ending(&self) -> Ending {
        match self.phase {
            Phase::ShutDown => Ending::Orderly,
            Phase::New | Phase::Running => Ending::Abrupt,
        }
    }

    /// Wait for the next event. Before that, documents that changed are examined: not earlier,
    /// since those that wait may change them again.
    fn next(&mut self) -> Event {
        self.queue.extend(self.events.try_iter());
        if self.queue.is_empty() {
            for view in self.documents.take_changed(self.client) {
                // It ends only when this server does.
                let _ = self.examiner.send(view);
            }
        }
        let closed = || Event::Client(Ok(None));
        let next = self.queue.pop_front();
        next.unwrap_or_else(|| self.events.recv().unwrap_or_else(|_| closed()))
    }

    fn answer(&mut self, request: Request) -> Response {
        if self.is_cancelled(&request.id) {
            let message = "the client has cancelled it".to_owned();
            return Response::new_err(request.id, ErrorCode::RequestCanceled as i32, message);
        }
        let id = request.id.clone();
        // A fault in one answer must not cost the client the others.
        let answer = catch_unwind(AssertUnwindSafe(|| self.result(request)));
        let answer = answer.unwrap_or_else(|_| {
            Err(Refusal {
                code: ErrorCode::InternalError,
                message: "a fault of this server".to_owned(),
            })
        });
        match answer {
            Ok(result) => Response {
                id,
                response_result: Ok(result),
            },
            Err(Refusal { code, message }) => Response::new_err(id, code as i32, message),
        }
    }

    fn result(&mut self, request: Request) -> Result<Value, Refusal> {
        let method = LspRequestMethod::from(request.method.as_str());
        match (self.phase, method) {
            (Phase::New, LspRequestMethod::Initialize) => {
                let asked: InitializeParams = params(request.params)?;
                self.client = Client::of(&asked);
                self.phase = Phase::Running;
                requests::value(self.client.offer())
            }
            (Phase::New, _) => Err(Refusal {
                code: ErrorCode::ServerNotInitialized,
                message: "`initialize` must come first".to_owned(),
            }),
            (Phase::ShutDown, _) => Err(Refusal {
                code: ErrorCode::InvalidRequest,
                message: "only `exit` may follow `shutdown`".to_owned(),
            }),
            (Phase::Running, LspRequestMethod::Initialize) => Err(Refusal {
                code: ErrorCode::InvalidRequest,
                message: "`initialize` came already".to_owned(),
            }),
            (Phase::Running, LspRequestMethod::Shutdown) => {
                self.phase = Phase::ShutDown;
                Ok(Value::Null)
            }
            (Phase::Running, _) => {
                let client = self.client;
                let documents = &mut self.documents;
                requests::result(request, &mut |uri| documents.view(uri, client).cloned())
            }
        }
    }

    /// Whether a client cancels a request by something that has arrived already.
    fn is_cancelled(&mut self, id: &RequestId) -> bool {
        self.queue.extend(self.events.try_iter());
        self.queue.iter().any(|event| match event {
            Event::Client(Ok(Some(Incoming::Message(Message::Notification(it))))) => {
                it.method == LspNotificationMethod::CancelRequest.as_str()
                    && cancelled(&it.params).as_ref() == Some(id)
            }
            _ => false,
        })
    }

    /// Take note of what a client reports. What isn't understood is left out, as the protocol
    /// wants it.
    fn note(&mut self, notification: Notification) -> Result<(), ServeError> {
        if self.phase != Phase::Running {
            return Ok(());
        }
        let method = notification.method.clone();
        match self.noted(notification) {
            // The findings about a document that is closed are taken back.
            Ok(Some(closed)) => {
                self.publish(PublishDiagnosticsParams::new(closed, None, Vec::new()))?;
            }
            Ok(None) => {}
            Err(Refusal { message, .. }) => {
                tracing::warn!(method, message, "a notification isn't understood");
            }
        }
        Ok(())
    }

    /// Open, change or close a document. Returns one that is closed.
    fn noted(&mut self, notification: Notification) -> Result<Option<Uri>, Refusal> {
        match LspNotificationMethod::from(notification.method.as_str()) {
            LspNotificationMethod::TextDocumentDidOpen => {
                let opened: DidOpenTextDocumentParams = params(notification.params)?;
                let item = opened.text_document;
                self.documents.open(&item.uri, item.version, item.text);
            }
            LspNotificationMethod::TextDocumentDidChange => {
                let changed: DidChangeTextDocumentParams = params(notification.params)?;
                let document = changed.text_document;
                self.documents.change(
                    &document.text_document_identifier.uri,
                    document.version,
                    changed.content_changes,
                    self.client,
                );
            }
            LspNotificationMethod::TextDocumentDidClose => {
                let closed: DidCloseTextDocumentParams = params(notification.params)?;
                self.documents.close(&closed.text_document.uri);
                return Ok(Some(closed.text_document.uri));
            }
            _ => {}
        }
        Ok(None)
    }

    /// Report the findings of a document, unless it has changed since.
    fn publish_findings(&mut self, view: &View) -> Result<(), ServeError> {
        let Some(version) = self.documents.version_of(view) else {
            return Ok(());
        };
        let found = view.diagnostics();
        let uri = view.uri.clone();
        self.publish(PublishDiagnosticsParams::new(uri, Some(version), found))
    }

    fn publish(&mut self, findings: PublishDiagnosticsParams) -> Result<(), ServeError> {
        let method = PublishDiagnosticsNotification::METHOD.as_str().to_owned();
        self.send(Notification::new(method, findings))
    }

    fn send(&mut self, message: impl Into<Message>) -> Result<(), ServeError> {
        message.into().write(self.output).map_err(ServeError::Write)
    }
}

/// The request that a notification cancels.
fn cancelled(sent: &Value) -> Option<RequestId> {
    let sent: CancelParams = serde_json::from_value(sent.clone()).ok()?;
    Some(match sent.id {
        Id::Int(number) => RequestId::from(number),
        Id::String(name) => RequestId::from(name),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn content(message: &Value) -> String {
        let text = message.to_string();
        format!("Content-Length: {}\r\n\r\n{text}", text.len())
    }

    /// The events of some messages from a client.
    fn events(messages: &[Value]) -> VecDeque<Event> {
        let text: String = messages.iter().map(content).collect();
        let mut input = text.as_bytes();
        let read = messages.iter().map(|_| transport::read(&mut input));
        read.map(Event::Client).collect()
    }

    #[test]
    fn a_request_is_cancelled_while_it_waits() {
        let (_sender, waiting) = channel();
        let (examiner, _documents) = channel();
        let mut output = Vec::new();
        let mut server = Server {
            output: &mut output,
            events: waiting,
            queue: events(&[json!({ "method": "$/cancelRequest", "params": { "id": "b" } })]),
            examiner,
            documents: Documents::default(),
            client: Client::default(),
            phase: Phase::Running,
        };
        let mut code = |id: &str| {
            let id = RequestId::from(id.to_owned());
            let request = Request::new(id, "shutdown".to_owned(), Value::Null);
            server
                .answer(request)
                .response_result
                .map_err(|error| error.code)
        };
        assert_eq!(code("b"), Err(ErrorCode::RequestCanceled as i32));
        assert_eq!(code("a"), Ok(Value::Null));
    }

    #[test]
    fn all_that_arrives_is_answered_in_order() {
        let text: String = [
            json!({ "id": 1, "method": "initialize", "params": { "capabilities": {} } }),
            json!({ "method": "initialized", "params": {} }),
            json!({ "id": 2, "method": "shutdown" }),
            json!({ "method": "exit" }),
            json!({ "id": 3, "method": "shutdown" }),
        ]
        .iter()
        .map(content)
        .collect();
        let mut output = Vec::new();
        let input = std::io::Cursor::new(text.into_bytes());
        assert!(matches!(serve(input, &mut output), Ok(Ending::Orderly)));
        let output = String::from_utf8(output).expect("text");
        let ids: Vec<&str> = output
            .match_indices("\"id\":")
            .map(|(at, mark)| &output[at + mark.len()..at + mark.len() + 1])
            .collect();
        assert_eq!(ids, ["1", "2"], "{output}");
    }
}
