//! What machines hold, and what is proved of them.

mod description;
mod table;
mod transfer;
mod verification;
mod words;

pub use self::words::WordColumns;
