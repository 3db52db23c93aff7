//! The contents of machines, and proofs about them.

mod certified;
mod description;
mod table;
mod transfer;
mod verification;
mod words;

pub(crate) use self::table::{transition_fields, transition_values};
pub(crate) use self::words::WordColumns;
