//! Results as texts for people and as tables for programs.
//!
//! All results here are data, which `serde` writes. This is the other form: text for a terminal or
//! a notebook. A front end chooses the [`Style`] and prints.
//!
//! ```
//! use psvn::show::{Show, Style};
//! use psvn::{Environment, Game, GameDescription};
//!
//! let game = Game::built_in("pancake:3", &Environment::default())?;
//! let text = GameDescription::of(&game).text(&Style::default());
//! assert!(text.starts_with("gen:pancake:3: 3 variables, 2 rules, 1 goal\n"));
//! # Ok::<(), psvn::Error>(())
//! ```

mod analyses;
mod catalog;
mod experiment;
mod game;
mod lines;
mod machines;
mod players;
mod searches;
mod style;
mod table;

use std::io::{self, Write};

pub use self::machines::WordColumns;
pub use self::searches::{Way, show_way};
pub use self::style::Style;
pub use self::table::{Align, Table};

/// A result that people can read.
pub trait Show {
    /// Write it for people.
    ///
    /// # Errors
    /// When `out` can't be written to.
    fn show(&self, style: &Style<'_>, out: &mut dyn Write) -> io::Result<()>;

    /// Return it as a table for spreadsheets, the names of the columns in the first row; `None`
    /// where it isn't a table.
    fn records(&self) -> Option<Records> {
        None
    }

    /// Return the text for people.
    fn text(&self, style: &Style<'_>) -> String {
        let mut text = Vec::new();
        self.show(style, &mut text)
            .expect("writing to memory doesn't fail");
        String::from_utf8_lossy(&text).into_owned()
    }
}

/// Rows of a table for spreadsheets.
pub type Records = Vec<Vec<String>>;

/// Return the first row of a table, and the others.
fn records<const N: usize>(
    head: [&str; N],
    rows: impl IntoIterator<Item = [String; N]>,
) -> Option<Records> {
    let head = head.map(str::to_owned).to_vec();
    let rows = rows.into_iter().map(|row| row.to_vec());
    Some(std::iter::once(head).chain(rows).collect())
}
