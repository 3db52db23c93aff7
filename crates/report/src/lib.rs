//! Reports of experiments: from what was measured to tables and plots.
//!
//! Everything here is a function from data to text. [`Report::new`] looks at results and decides what there
//! is to be shown: a [`Section`] for each experiment, with [`Table`]s and [`Plot`]s. [`text`], [`csv`], [`json`] and
//! [`html`] write them down. A page of HTML stands for itself: its plots are SVG in its text, it has
//! no script, it asks for nothing from elsewhere, and it can be read in light, in the dark, and on paper.
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

pub use format::{csv, json, tables_text, text};
pub use html::html;
pub use number::{group_digits, short};
pub use plot::{Axis, Bar, Plot, PlotKind, Point, Series};
pub use section::{Report, Section};
pub use svg::svg;
pub use table::{Align, Bound, Column, Entry, Table};
