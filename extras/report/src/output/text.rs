//! Reports as text, in lines of 80 columns.

use super::blocks::{blocks, lines};
use crate::section::{Report, Section};
use crate::table::{Align, Entry, Table};

/// Tables with more rows are cut for readers.
pub(crate) const MOST_ROWS: usize = 200;

/// The widest line.
const WIDTH: usize = 80;

/// Write a report as text. Plots are left out, since the tables have their numbers. Wide tables
/// have their essential columns, and are in blocks where these don't fit.
pub fn text(report: &Report) -> String {
    let sections: Vec<String> = report.sections.iter().map(section_text).collect();
    sections.join("\n\n")
}

fn section_text(section: &Section) -> String {
    let mut out = format!(
        "{}\n{}\n",
        section.title,
        "=".repeat(section.title.chars().count())
    );
    if !section.description.is_empty() {
        out.push_str(&wrap(&section.description));
    }
    for finding in &section.findings {
        out.push_str(&wrap(finding));
    }
    for note in &section.notes {
        out.push_str(&wrap(note));
    }
    for table in &section.tables {
        out.push('\n');
        table_text(table, &mut out);
    }
    out
}

fn table_text(table: &Table, out: &mut String) {
    let (shown, left_out) = table.narrowed();
    let n_rows = shown.rows.len().min(MOST_ROWS);
    out.push_str(&wrap(&table.title));
    for (number, block) in blocks(&shown, n_rows, WIDTH, 2).iter().enumerate() {
        if number > 0 {
            out.push('\n');
        }
        let mut print = |cell_of: &dyn Fn(usize, usize) -> Vec<String>, at_bottom: bool| {
            let cells: Vec<Vec<String>> = block
                .iter()
                .map(|column| cell_of(column.place, column.width))
                .collect();
            let height = cells.iter().map(Vec::len).max().unwrap_or(0);
            for n in 0..height {
                let mut line = String::new();
                for (column, cell) in block.iter().zip(&cells) {
                    let above = if at_bottom { height - cell.len() } else { 0 };
                    let part = n.checked_sub(above).and_then(|n| cell.get(n));
                    let (part, width) = (part.map_or("", String::as_str), column.width);
                    match shown.columns[column.place].align {
                        Align::Left => line.push_str(&format!("  {part:<width$}")),
                        Align::Right => line.push_str(&format!("  {part:>width$}")),
                    }
                }
                out.push_str(line.trim_end());
                out.push('\n');
            }
        };
        print(
            &|place, width| lines(&shown.columns[place].title, width),
            true,
        );
        for row in &shown.rows[..n_rows] {
            print(&|place, width| lines(&written(&row[place]), width), false);
        }
    }
    if n_rows < table.rows.len() {
        let left = table.rows.len() - n_rows;
        out.push_str(&format!("  ... and {left} more rows\n"));
    }
    out.push_str(&wrap(&table.caption));
    if !left_out.is_empty() {
        let names = left_out.join(", ");
        out.push_str(&wrap(&format!("Columns that are left out here: {names}.")));
    }
}

/// An entry with its mark.
pub(crate) fn written(entry: &Entry) -> String {
    match (unmarked(entry), entry.mark.sign()) {
        (text, "") => text,
        (text, sign) => format!("{text} {sign}"),
    }
}

/// An entry without the mark of its comparison.
pub(crate) fn unmarked(entry: &Entry) -> String {
    match entry.bound.sign() {
        "" => entry.text.clone(),
        _ if entry.text.is_empty() => String::new(),
        sign => format!("{sign} {}", entry.text),
    }
}

/// Paragraphs in lines that fit.
fn wrap(text: &str) -> String {
    let paragraphs = text.lines().map(|paragraph| {
        let words: Vec<&str> = paragraph.split_whitespace().collect();
        lines(&words.join(" "), WIDTH)
    });
    let mut out = String::new();
    for line in paragraphs.flatten() {
        out.push_str(&line);
        out.push('\n');
    }
    out
}

/// Write all tables of this name as text, with their captions. `None` if there is no such table.
pub fn tables_text(report: &Report, name: &str) -> Option<String> {
    let mut out = String::new();
    for section in &report.sections {
        for table in section.tables.iter().filter(|table| table.name == name) {
            if !out.is_empty() {
                out.push('\n');
            }
            table_text(table, &mut out);
        }
    }
    (!out.is_empty()).then_some(out)
}
