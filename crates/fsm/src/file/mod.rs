//! Machine files.
//!
//! `docs/file-format.md` describes the format. In short: a header of 192 bytes with the places of
//! four sections, each at a multiple of 64 bytes: details (texts, the order of rules), the machine,
//! swaps, words. The machine's section holds its 32-bit words in memory layout, so the machine can
//! run in place.
//!
//! [`MachineFile`] is a file's contents in memory, and can be written. [`OpenFile`] uses a file in
//! place.

mod claims;
mod contents;
mod cursor;
mod header;
mod open;
mod parts;
mod read;
mod version_1;
mod write;

pub use crate::file::claims::HeaderFlaw;
pub use crate::file::contents::{
    CertifiedWord, FORMAT_VERSION, FileError, MachineFile, MachineKind, RulePart, SplitReason,
};
pub use crate::file::open::{CertifiedWords, OpenError, OpenFile};
