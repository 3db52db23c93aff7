//! Reports of experiments: tables and plots of measurements.
//!
//! Everything here is a function from data to text. [`Report::new`] takes results and decides what
//! to show: a [`Section`] for each experiment, with [`Table`]s and [`Plot`]s. [`text`],
//! [`csv`](csv()), [`json`], [`markdown`], [`latex`] and [`html`] write them. A page of HTML is
//! self-contained: its plots are inline SVG, it loads no other files, and it is readable on light
//! and dark screens and on paper. Its script sorts and filters tables; without it, nothing is
//! missing. Files with runs of one experiment form one section: times are means, with their spread
//! in a table.
//!
//! [`report_on`] reads files of results, and [`write_report`] writes all of a report or one table.
//!
//! # What this crate doesn't know
//! How measurements are made, terminals.

mod choice;
mod number;
mod output;
mod plots;
mod runs;
mod section;
mod sentences;
mod stats;
mod svg;
mod table;
mod tables;

pub use budget::group_digits;
pub use choice::ChoiceError;
pub use number::short;
pub use output::{
    ReportForm, csv, html, json, latex, markdown, plot_files, report_on, tables_markdown,
    tables_text, text, write_report,
};
pub use plots::plot::{Axis, Bar, Plot, PlotKind, Point, Series};
pub use section::{Report, Section, TABLE_NAMES};
pub use svg::svg;
pub use table::{Align, Bound, Column, Entry, Mark, Table};
