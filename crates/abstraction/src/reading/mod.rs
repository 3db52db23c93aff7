//! Texts that say which abstraction is meant: blocks and scripts.

mod file;
mod lookup;
mod script;
