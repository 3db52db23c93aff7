//! Tables as LaTeX, to be put into a paper.

use super::text::written;
use crate::section::Report;
use crate::table::{Align, Table};

/// Write tables as LaTeX: all of them, or those with a name. They need the package `booktabs`.
/// `None` if there is no such table.
pub fn latex(report: &Report, name: Option<&str>) -> Option<String> {
    let mut out = String::new();
    for section in &report.sections {
        let is_wanted = |table: &&Table| name.is_none_or(|name| table.name == name);
        for table in section.tables.iter().filter(is_wanted) {
            if !out.is_empty() {
                out.push('\n');
            }
            table_latex(table, &mut out);
        }
    }
    (!out.is_empty()).then_some(out)
}

fn table_latex(table: &Table, out: &mut String) {
    let used = table.used_columns();
    let aligns = used
        .iter()
        .map(|column| match table.columns[*column].align {
            Align::Left => 'l',
            Align::Right => 'r',
        });
    let aligns: String = aligns.collect();
    out.push_str("% needs \\usepackage{booktabs}\n\\begin{table}\n  \\centering\n");
    out.push_str(&format!(
        "  \\begin{{tabular}}{{{aligns}}}\n    \\toprule\n"
    ));
    let line = |entry_of: &dyn Fn(usize) -> String| {
        let entries: Vec<String> = used.iter().map(|column| entry_of(*column)).collect();
        format!("    {} \\\\\n", entries.join(" & "))
    };
    out.push_str(&line(&|column| escape(&table.columns[column].title)));
    out.push_str("    \\midrule\n");
    for row in &table.rows {
        out.push_str(&line(&|column| escape(&written(&row[column]))));
    }
    out.push_str("    \\bottomrule\n  \\end{tabular}\n");
    out.push_str(&format!(
        "  \\caption{{{}. {}}}\n\\end{{table}}\n",
        escape(&table.title),
        escape(&table.caption)
    ));
}

/// Escape characters that are special in LaTeX.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\textbackslash{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '<' => out.push_str("$<$"),
            '>' => out.push_str("$>$"),
            '▲' => out.push_str("$\\uparrow$"),
            '▼' => out.push_str("$\\downarrow$"),
            '≈' => out.push_str("$\\approx$"),
            'µ' => out.push_str("$\\mu$"),
            'σ' => out.push_str("$\\sigma$"),
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => out.extend(['\\', c]),
            _ => out.push(c),
        }
    }
    out
}
