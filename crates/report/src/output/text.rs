//! Reports as text.

use crate::section::{Report, Section};
use crate::table::{Align, Entry, Table};

/// Tables with more rows are cut for readers.
pub(crate) const MOST_ROWS: usize = 200;

/// Write a report as text. Plots are left out, since the tables have their numbers.
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
        out.push_str(&format!("\n{}\n", table.title));
        table_text(table, &mut out);
        out.push_str(&wrap(&table.caption));
    }
    out
}

fn table_text(table: &Table, out: &mut String) {
    let shown = &table.rows[..table.rows.len().min(MOST_ROWS)];
    let used = table.used_columns();
    let width = |column: &usize| {
        let entries = shown.iter().filter_map(|row| row.get(*column));
        let widest = entries
            .map(|entry| written(entry).chars().count())
            .max()
            .unwrap_or(0);
        widest.max(table.columns[*column].title.chars().count())
    };
    let widths: Vec<usize> = used.iter().map(width).collect();
    let mut line = |entry_of: &dyn Fn(usize) -> String| {
        let mut line = String::new();
        for (column, width) in used.iter().zip(&widths) {
            let entry = entry_of(*column);
            match table.columns[*column].align {
                Align::Left => line.push_str(&format!("  {entry:<width$}")),
                Align::Right => line.push_str(&format!("  {entry:>width$}")),
            }
        }
        out.push_str(line.trim_end());
        out.push('\n');
    };
    line(&|column| table.columns[column].title.clone());
    for row in shown {
        line(&|column| written(&row[column]));
    }
    if shown.len() < table.rows.len() {
        out.push_str(&format!(
            "  ... and {} more rows\n",
            table.rows.len() - shown.len()
        ));
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

/// A paragraph in lines that aren't too long.
fn wrap(text: &str) -> String {
    let mut out = String::new();
    for paragraph in text.lines() {
        let mut length = 0;
        for word in paragraph.split_whitespace() {
            let width = word.chars().count();
            if length > 0 && length + 1 + width > 100 {
                out.push('\n');
                length = 0;
            }
            if length > 0 {
                out.push(' ');
                length += 1;
            }
            out.push_str(word);
            length += width;
        }
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
            out.push_str(&format!("{}\n", table.title));
            table_text(table, &mut out);
            out.push_str(&wrap(&table.caption));
        }
    }
    (!out.is_empty()).then_some(out)
}
