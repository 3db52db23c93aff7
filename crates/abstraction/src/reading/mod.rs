//! Texts that describe abstractions: blocks and scripts.

mod file;
mod lookup;
mod script;
