//! Reports as text, CSV and JSON.

use serde_json::{Map, Value, json};

use crate::section::{Report, Section};
use crate::table::{Align, Entry, Table};

/// Tables with more rows are cut in text, and in HTML.
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

/// Write all tables of this name as one CSV table: a row of column names, then rows of the same
/// width that begin with the title of the experiment. Where a table for readers has columns for
/// methods, each method has rows of its own here. `None` if there is no such table. Numbers are
/// written in full, and missing ones are empty; columns `.._bound` hold `>` or `<` where a number
/// is only a bound of the true one.
pub fn csv(report: &Report, name: &str) -> Option<String> {
    let mut is_first = true;
    let mut records = Records::new();
    for section in &report.sections {
        let tables = section.tables.iter().filter(|table| table.name == name);
        for table in tables.map(Table::for_programs) {
            let bounds = || {
                let columns = table.columns.iter().enumerate();
                columns.filter(|(_, column)| column.may_be_bound)
            };
            if std::mem::take(&mut is_first) {
                let keys = table.columns.iter().map(|column| column.key.clone());
                let of_bounds = bounds().map(|(_, column)| format!("{}_bound", column.key));
                let front = std::iter::once("experiment".to_owned());
                let head = front.chain(keys).chain(of_bounds);
                records.write(head);
            }
            for row in &table.rows {
                let front = std::iter::once(section.title.clone());
                let of_bounds = bounds().map(|(place, _)| sign(&row[place]).to_owned());
                let entries = row.iter().map(plain);
                let fields = front.chain(entries).chain(of_bounds);
                records.write(fields);
            }
        }
    }
    (!is_first).then(|| records.into_text())
}

/// Whether an entry is a bound, and of which kind; empty where it has no number.
fn sign(entry: &Entry) -> &'static str {
    match entry.number {
        Some(_) => entry.bound.sign(),
        None => "",
    }
}

/// An entry for programs.
fn plain(entry: &Entry) -> String {
    match entry.number {
        Some(number) => number.to_string(),
        None => entry.text.clone(),
    }
}

/// CSV records in memory, where writing doesn't fail.
struct Records(csv::Writer<Vec<u8>>);

impl Records {
    fn new() -> Self {
        // Tables of one name may have different columns with bounds.
        let mut builder = csv::WriterBuilder::new();
        Self(builder.flexible(true).from_writer(Vec::new()))
    }

    fn write(&mut self, fields: impl Iterator<Item = String>) {
        let fields: Vec<String> = fields.collect();
        self.0.write_record(fields).expect("there is memory");
    }

    fn into_text(self) -> String {
        let bytes = self.0.into_inner().expect("there is memory");
        String::from_utf8(bytes).expect("all fields are text")
    }
}

/// Write a report as JSON: the tables with their rows as objects, and the plots with their points.
pub fn json(report: &Report) -> Value {
    let sections: Vec<Value> = report.sections.iter().map(section_json).collect();
    json!({ "experiments": sections })
}

fn section_json(section: &Section) -> Value {
    let tables: Vec<Value> = section.tables.iter().map(table_json).collect();
    let plots: Vec<Value> = section
        .plots
        .iter()
        .map(|plot| {
            let series: Vec<Value> = plot
                .series
                .iter()
                .map(|series| {
                    let points: Vec<Value> =
                        series.points.iter().map(|p| json!([p.x, p.y])).collect();
                    json!({ "name": series.name, "points": points })
                })
                .collect();
            json!({
                "title": plot.title, "caption": plot.caption, "x": plot.x.title, "y": plot.y.title,
                "series": series,
            })
        })
        .collect();
    json!({
        "title": section.title, "description": section.description, "notes": section.notes,
        "tables": tables, "plots": plots,
    })
}

fn table_json(table: &Table) -> Value {
    let table = table.for_programs();
    let row = |row: &Vec<Entry>| -> Value {
        let mut object = Map::new();
        for (column, entry) in table.columns.iter().zip(row) {
            let value = match (entry.number, column.align) {
                (Some(number), _) => whole_or_not(number),
                (None, Align::Right) if entry.text.is_empty() || entry.text == "na" => Value::Null,
                _ => Value::from(entry.text.as_str()),
            };
            object.insert(column.key.clone(), value);
            if column.may_be_bound {
                let bound = Some(sign(entry)).filter(|sign| !sign.is_empty());
                object.insert(format!("{}_bound", column.key), bound.into());
            }
        }
        Value::Object(object)
    };
    json!({
        "name": table.name, "title": table.title, "caption": table.caption,
        "rows": table.rows.iter().map(row).collect::<Vec<Value>>(),
    })
}

/// Whole numbers without a point.
fn whole_or_not(number: f64) -> Value {
    if number.fract() == 0.0 && number.abs() <= (1u64 << 53) as f64 {
        Value::from(number as i64)
    } else {
        Value::from(number)
    }
}
