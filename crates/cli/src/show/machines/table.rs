//! The transitions of a machine.

use std::io::{self, Write};

use psvn::machine::{TableRow, TransitionTable};

use crate::show::{Align, Show, Style, Table};

/// Return the names of the columns of a table for spreadsheets.
pub(crate) fn transition_fields(table: &TransitionTable<'_>) -> Vec<String> {
    let head = ["state".to_owned(), "word".to_owned()];
    head.into_iter().chain(table.letters()).collect()
}

/// Return a row of a table for spreadsheets: the state, the word, and the next state of each
/// letter.
pub(crate) fn transition_values(row: &TableRow) -> Vec<String> {
    let next = row.next.iter().map(ToString::to_string);
    [row.state.to_string(), word_text(row)]
        .into_iter()
        .chain(next)
        .collect()
}

fn word_text(row: &TableRow) -> String {
    let word = row.word.as_ref();
    word.map_or("-".to_owned(), |word| word.join(" "))
}

impl Show for TransitionTable<'_> {
    fn show(&self, _: &Style, out: &mut dyn Write) -> io::Result<()> {
        let columns = self.letters().into_iter().map(|name| (name, Align::Right));
        let head = [
            ("state".to_owned(), Align::Right),
            ("after".to_owned(), Align::Left),
        ];
        let mut text = Table::new(head.into_iter().chain(columns));
        for row in self.rows() {
            let head = [row.state.to_string(), word_text(&row)];
            let next = row.next.iter().map(|next| match next {
                0 => ".".to_owned(),
                next => next.to_string(),
            });
            text.row(head.into_iter().chain(next));
        }
        text.print(out)
    }
}
