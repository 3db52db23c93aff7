//! The transitions of a machine.

use std::io::{self, Write};

use crate::machine::{TableRow, TransitionTable};
use crate::show::{Align, Show, Style, Table};

impl TableRow {
    /// Return its row in a table for spreadsheets: the state, the word, and the next state of each
    /// letter.
    pub fn fields(&self) -> Vec<String> {
        let next = self.next.iter().map(ToString::to_string);
        [self.state.to_string(), self.word_text()]
            .into_iter()
            .chain(next)
            .collect()
    }

    fn word_text(&self) -> String {
        let word = self.word.as_ref();
        word.map_or("-".to_owned(), |word| word.join(" "))
    }
}

impl TransitionTable<'_> {
    /// Return the names of the columns of a table for spreadsheets.
    pub fn fields(&self) -> Vec<String> {
        let head = ["state".to_owned(), "word".to_owned()];
        head.into_iter().chain(self.letters()).collect()
    }
}

impl Show for TransitionTable<'_> {
    fn show(&self, _: &Style<'_>, out: &mut dyn Write) -> io::Result<()> {
        let columns = self.letters().into_iter().map(|name| (name, Align::Right));
        let head = [
            ("state".to_owned(), Align::Right),
            ("after".to_owned(), Align::Left),
        ];
        let mut text = Table::new(head.into_iter().chain(columns));
        for row in self.rows() {
            let head = [row.state.to_string(), row.word_text()];
            let next = row.next.iter().map(|next| match next {
                0 => ".".to_owned(),
                next => next.to_string(),
            });
            text.row(head.into_iter().chain(next));
        }
        text.print(out)
    }
}
