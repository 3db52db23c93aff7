//! The contents of a machine as lists: the redundant words with the reasons, and the transitions.

mod filter;
mod macro_rules;
mod reasons;
mod table;
mod words;

pub use self::filter::{LengthRange, WordFilter};
pub use self::table::{TableRow, TransitionTable};
pub use self::words::{ComesFirst, RedundantWord, ReplacedBy, WordList};
