//! The output formats of reports.

mod blocks;
mod data;
mod files;
mod html;
mod latex;
mod markdown;
mod text;

pub use data::{csv, json};
pub use files::{ReportForm, plot_files, report_on, write_report};
pub use html::html;
pub use latex::latex;
pub use markdown::{markdown, tables_markdown};
pub use text::{tables_text, text};
