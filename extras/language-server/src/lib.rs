//! What an editor asks about a PSVN text, and a server that answers it.
//!
//! A [`Document`] is a text with the answers: errors and warnings, descriptions of what is at a
//! place, words that may come next, declarations and uses of names, other names, the canonical
//! layout, changes that settle findings. Places are byte offsets. It knows no protocol, so that a
//! page of a browser can use it, too.
//!
//! ```
//! use language_server::Document;
//!
//! let document = Document::new("2\n3 3\n0 X => X 0 LABEL swap\nGOAL 0 1\n");
//! let hover = document.hover(8).expect("a word is there");
//! assert!(hover.text.contains("<0 x2> -> <x2 0>"));
//! ```
//!
//! With the feature `server`, `serve` speaks the Language Server Protocol.

mod answers;
mod document;
mod findings;
#[cfg(feature = "server")]
mod server;
mod words;

pub use answers::actions::{Action, Certainty};
pub use answers::completion::{Completion, CompletionKind, Completions};
pub use answers::edit::{Edit, edited};
pub use answers::hints::Hint;
pub use answers::hover::Hover;
pub use answers::navigation::Reference;
pub use answers::outline::{Folding, Part, PartKind};
pub use answers::rename::RenameError;
pub use answers::tokens::{Token, TokenKind};
pub use document::Document;
pub use findings::{Finding, explanation};
pub use psvn_syntax::{Severity, Span};
#[cfg(feature = "server")]
pub use server::{Ending, ReadError, ServeError, serve};
