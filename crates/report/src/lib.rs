//! Reports of experiments: tables and plots of measurements.
//!
//! Everything here is a function from data to text. [`Report::new`] takes results and decides what
//! to show: a [`Section`] for each experiment, with [`Table`]s and [`Plot`]s. [`text`],
//! [`csv`](csv()), [`json`] and [`html`] write them. A page of HTML is self-contained: its plots
//! are inline SVG, it has no script, it loads nothing from elsewhere, and it can be read on light
//! and dark screens and on paper.
//!
//! # What this crate doesn't know
//! How anything was measured, files, terminals.

mod format;
mod html;
mod number;
mod plot;
mod scale;
mod section;
mod stats;
mod svg;
mod table;
mod tables;

pub use budget::group_digits;
pub use format::{csv, json, tables_text, text};
pub use html::html;
pub use number::short;
pub use plot::{Axis, Bar, Plot, PlotKind, Point, Series};
pub use section::{Report, Section};
pub use svg::svg;
pub use table::{Align, Bound, Column, Entry, Table};
