//! The contents of machines, and proofs about them.

mod description;
mod table;
mod transfer;
mod verification;
mod words;

pub use self::words::WordColumns;
