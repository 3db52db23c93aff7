//! Results as texts for people and as tables for spreadsheets.
//!
//! The results of the library are data, which `serde` writes. This is the other form.

mod analyses;
mod catalog;
#[cfg(feature = "experiments")]
mod experiment;
mod game;
mod lines;
mod machines;
#[cfg(feature = "players")]
mod players;
mod row;
mod searches;
mod style;
mod table;

use std::io::{self, Write};

pub(crate) use self::lines::wrap;
pub(crate) use self::machines::{WordColumns, transition_fields, transition_values};
pub(crate) use self::row::{Records, Row};
#[cfg(feature = "experiments")]
pub(crate) use self::searches::exploration_plot;
pub(crate) use self::searches::{
    Way, exploration, series, show_boards, show_plan_states, show_way,
};
pub(crate) use self::style::Style;
pub(crate) use self::table::{Align, Table};

/// A result that people can read.
pub(crate) trait Show {
    /// Write it for people.
    ///
    /// # Errors
    /// When `out` can't be written to.
    fn show(&self, style: &Style, out: &mut dyn Write) -> io::Result<()>;

    /// Return it as a table for spreadsheets, the names of the columns in the first row; `None`
    /// where it isn't a table.
    fn records(&self) -> Option<Records> {
        None
    }
}
