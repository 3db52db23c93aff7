//! Reports as CSV and JSON.

use serde_json::{Map, Value, json};

use crate::section::{Report, Section};
use crate::table::{Align, Entry, Table};

/// Write all tables of this name as one CSV table: a row of column names, then rows of the same
/// width that begin with the title of the experiment. If a table for readers has a column per
/// method, each method has separate rows here. `None` if there is no such table. Numbers are
/// written in full, and missing ones are empty; columns `.._bound` hold `>` or `<` if a number is
/// only a bound on the true one.
pub fn csv(report: &Report, name: &str) -> Option<String> {
    let mut is_first = true;
    let mut records = Records::new();
    for section in &report.sections {
        let tables = section.tables.iter().filter(|table| table.name == name);
        for table in tables.map(Table::for_programs) {
            let bounds = || {
                let columns = table.columns.iter().enumerate();
                columns.filter(|(_, column)| column.may_be_bound && !table.is_chosen)
            };
            // Chosen columns stand alone.
            let title = (!table.is_chosen).then(|| section.title.clone());
            if std::mem::take(&mut is_first) {
                let keys = table.columns.iter().map(|column| column.key.clone());
                let of_bounds = bounds().map(|(_, column)| format!("{}_bound", column.key));
                let front = title.is_some().then(|| "experiment".to_owned());
                let head = front.into_iter().chain(keys).chain(of_bounds);
                records.write(head);
            }
            for row in &table.rows {
                let front = title.clone().into_iter();
                let of_bounds = bounds().map(|(place, _)| sign(&row[place]).to_owned());
                let entries = row.iter().map(plain);
                let fields = front.chain(entries).chain(of_bounds);
                records.write(fields);
            }
        }
    }
    (!is_first).then(|| records.into_text())
}

/// The kind of bound of an entry, as a sign; empty if it has no number.
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
        .all_plots()
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
        "title": section.title, "description": section.description, "findings": section.findings,
        "notes": section.notes, "spec": section.spec,
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
                (None, Align::Right) if entry.text.is_empty() => Value::Null,
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
