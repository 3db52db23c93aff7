//! Machine files.
//!
//! `docs/file-format.md` describes the format. In short: a header of 192 bytes with the places of
//! four sections, each at a multiple of 64 bytes: details (texts, the order of rules), the machine,
//! swaps, words. The machine's section holds the words of memory that a machine runs on, so it can
//! be used where it is.
//!
//! [`MachineFile`] is what is written, and all of a file in memory. [`OpenFile`] leaves it in its
//! place.

mod contents;
mod cursor;
mod header;
mod open;
mod parts;
mod read;
mod version_1;
mod write;

pub use crate::file::contents::{
    CertifiedWord, FORMAT_VERSION, FileError, MachineFile, MachineKind, RulePart, SplitReason,
};
pub use crate::file::open::{CertifiedWords, OpenError, OpenFile};
