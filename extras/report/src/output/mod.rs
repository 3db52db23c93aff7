//! The output formats of reports.

mod blocks;
mod data;
mod html;
mod latex;
mod markdown;
mod text;

pub use data::{csv, json};
pub use html::html;
pub use latex::latex;
pub use markdown::{markdown, tables_markdown};
pub use text::{tables_text, text};
