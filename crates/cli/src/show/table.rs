//! Tables of text: columns padded to the width of their widest entry.

use std::io::{self, Write};

use psvn::text::units::group_digits;

/// The alignment of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Align {
    /// To the left, for text.
    Left,
    /// To the right, for numbers.
    Right,
}

/// A table under construction.
pub(crate) struct Table {
    columns: Vec<Align>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// Make a table with these column heads.
    pub(crate) fn new<S: Into<String>>(head: impl IntoIterator<Item = (S, Align)>) -> Self {
        let (titles, columns) = head
            .into_iter()
            .map(|(title, align)| (title.into(), align))
            .unzip();
        Self {
            columns,
            rows: vec![titles],
        }
    }

    /// Add a row; missing entries stay empty. The digits of numbers are grouped.
    pub(crate) fn row<S: Into<String>>(&mut self, entries: impl IntoIterator<Item = S>) {
        let entries = entries.into_iter().zip(&self.columns);
        let row = entries.map(|(entry, align)| match (entry.into(), align) {
            (number, Align::Right) => grouped(number),
            (text, Align::Left) => text,
        });
        self.rows.push(row.collect());
    }

    /// Print the table, with two blanks before and between columns.
    ///
    /// # Errors
    /// When `out` can't be written to.
    pub(crate) fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        self.print_from(0, out)
    }

    /// Print the table without its head.
    ///
    /// # Errors
    /// When `out` can't be written to.
    pub(crate) fn print_body(&self, out: &mut dyn Write) -> io::Result<()> {
        self.print_from(1, out)
    }

    fn print_from(&self, first: usize, out: &mut dyn Write) -> io::Result<()> {
        let width = |column: usize| {
            let entries = self.rows.iter().filter_map(|row| row.get(column));
            entries.map(|entry| entry.chars().count()).max()
        };
        let widths: Vec<usize> = (0..self.columns.len())
            .map(|column| width(column).unwrap_or(0))
            .collect();
        for row in &self.rows[first..] {
            let mut line = String::new();
            for ((entry, align), width) in row.iter().zip(&self.columns).zip(&widths) {
                line.push_str("  ");
                match align {
                    Align::Left => line.push_str(&format!("{entry:<width$}")),
                    Align::Right => line.push_str(&format!("{entry:>width$}")),
                }
            }
            writeln!(out, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

/// Return a whole number with its digits in groups; other text unchanged.
fn grouped(text: String) -> String {
    match text.parse::<u128>() {
        Ok(number) if text.bytes().all(|byte| byte.is_ascii_digit()) => group_digits(number),
        _ => text,
    }
}
