//! Reports as Markdown, with tables in GitHub's syntax.

use super::text::{MOST_ROWS, written};
use crate::section::{Report, Section};
use crate::table::{Align, Table};

/// Write a report as Markdown. Plots are left out.
pub fn markdown(report: &Report) -> String {
    let sections: Vec<String> = report.sections.iter().map(section_markdown).collect();
    sections.join("\n")
}

fn section_markdown(section: &Section) -> String {
    let mut out = format!("# {}\n", escape(&section.title));
    if !section.description.is_empty() {
        out.push_str(&format!("\n{}\n", escape(&section.description)));
    }
    if !section.findings.is_empty() {
        out.push('\n');
    }
    for finding in &section.findings {
        out.push_str(&format!("- {}\n", escape(finding)));
    }
    for note in &section.notes {
        out.push_str(&format!("\n{}\n", escape(note)));
    }
    for table in &section.tables {
        out.push_str(&format!("\n## {}\n\n", escape(&table.title)));
        table_markdown(table, &mut out);
        out.push_str(&format!("\n{}\n", escape(&table.caption)));
    }
    if !section.spec.is_empty() {
        let spec = &section.spec;
        out.push_str(&format!("\n## The experiment\n\n```toml\n{spec}```\n"));
    }
    out
}

fn table_markdown(table: &Table, out: &mut String) {
    let used = table.used_columns();
    let mut line = |entry_of: &dyn Fn(usize) -> String| {
        let entries: Vec<String> = used.iter().map(|column| entry_of(*column)).collect();
        out.push_str(&format!("| {} |\n", entries.join(" | ")));
    };
    line(&|column| escape(&table.columns[column].title));
    line(&|column| match table.columns[column].align {
        Align::Left => "---".to_owned(),
        Align::Right => "---:".to_owned(),
    });
    for row in table.rows.iter().take(MOST_ROWS) {
        line(&|column| escape(&written(&row[column])));
    }
    if table.rows.len() > MOST_ROWS {
        let left = table.rows.len() - MOST_ROWS;
        out.push_str(&format!("\n... and {left} more rows\n"));
    }
}

/// Write all tables of this name as Markdown. `None` if there is no such table.
pub fn tables_markdown(report: &Report, name: &str) -> Option<String> {
    let all = report.sections.iter().flat_map(|section| &section.tables);
    let tables = all.filter(|table| table.name == name).map(|table| {
        let mut out = format!("## {}\n\n", escape(&table.title));
        table_markdown(table, &mut out);
        out.push_str(&format!("\n{}\n", escape(&table.caption)));
        out
    });
    let tables: Vec<String> = tables.collect();
    (!tables.is_empty()).then(|| tables.join("\n"))
}

/// Escape characters that are special in Markdown.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(
            c,
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '#'
        ) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}
