//! Wide tables in blocks of columns that fit, one below the other.

use super::text::written;
use crate::table::{Align, Table};

/// Texts in narrow columns take several lines from this width on.
const MOST_WIDTH: usize = 34;

/// A column of a block, with its width in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fitted {
    pub(super) place: usize,
    pub(super) width: usize,
}

/// Divide the columns of a table among blocks that are at most `room` wide, with `between`
/// characters between columns. Each block begins with the columns that name its rows.
pub(super) fn blocks(
    table: &Table,
    n_rows: usize,
    room: usize,
    between: usize,
) -> Vec<Vec<Fitted>> {
    let widths = widths(table, n_rows, usize::MAX);
    let total =
        |columns: &[Fitted]| -> usize { columns.iter().map(|column| column.width + between).sum() };
    let all = |widths: &[usize]| -> Vec<Fitted> {
        let columns = widths.iter().enumerate();
        columns
            .map(|(place, width)| Fitted {
                place,
                width: *width,
            })
            .collect()
    };
    let columns = all(&widths);
    if total(&columns) <= room {
        return vec![columns];
    }
    let columns = all(&self::widths(table, n_rows, MOST_WIDTH));
    if total(&columns) <= room {
        return vec![columns];
    }
    let is_name = |column: &&Fitted| table.columns[column.place].align == Align::Left;
    let n_names = columns.iter().take_while(is_name).count().clamp(1, 2);
    let (names, others) = columns.split_at(n_names.min(columns.len()));
    let mut blocks: Vec<Vec<Fitted>> = Vec::new();
    let mut block = names.to_vec();
    for column in others {
        if block.len() > names.len() && total(&block) + column.width + between > room {
            blocks.push(std::mem::replace(&mut block, names.to_vec()));
        }
        block.push(*column);
    }
    blocks.push(block);
    blocks
}

/// The widths of all columns. Titles are broken between words, and texts that are longer than
/// `most` too.
fn widths(table: &Table, n_rows: usize, most: usize) -> Vec<usize> {
    let width = |(place, column): (usize, &crate::table::Column)| {
        let rows = table.rows.iter().take(n_rows);
        let widest = rows.map(|row| written(&row[place]).chars().count()).max();
        let most = match column.align {
            Align::Left => most,
            Align::Right => usize::MAX,
        };
        let words = column
            .title
            .split_whitespace()
            .map(|word| word.chars().count());
        let title = words.max().unwrap_or(0);
        widest.unwrap_or(0).min(most).max(title.min(MOST_WIDTH))
    };
    table.columns.iter().enumerate().map(width).collect()
}

/// A text in lines of at most `width` characters; longer words are broken.
pub(super) fn lines(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for word in text.split(' ') {
        let mut word: Vec<char> = word.chars().collect();
        let length = line.chars().count();
        if length > 0 && length + 1 + word.len() > width {
            lines.push(std::mem::take(&mut line));
        } else if length > 0 {
            line.push(' ');
        }
        while word.len() > width.max(1) {
            let rest = word.split_off(width.max(1));
            lines.push(word.into_iter().collect());
            word = rest;
        }
        line.extend(word);
    }
    lines.push(line);
    lines
}
