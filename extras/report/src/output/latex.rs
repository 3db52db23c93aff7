//! Tables as LaTeX, to be put into a paper.

use super::blocks::{blocks, lines};
use super::text::written;
use crate::section::Report;
use crate::table::{Align, Entry, Table};

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

/// The characters that fit beside each other on A4 in small letters, as measured with those of
/// Computer Modern.
const WIDTH: usize = 84;

/// The width of the space between two columns, in characters.
const BETWEEN: usize = 2;

fn table_latex(table: &Table, out: &mut String) {
    let (shown, _) = table.narrowed();
    out.push_str("% needs \\usepackage{booktabs}\n\\begin{table}\n  \\centering\\footnotesize\n");
    out.push_str("  \\setlength{\\tabcolsep}{4pt}\n");
    for (number, block) in blocks(&shown, shown.rows.len(), WIDTH, BETWEEN)
        .iter()
        .enumerate()
    {
        if number > 0 {
            out.push_str("\n  \\medskip\n");
        }
        let aligns = block.iter().map(|column| {
            let text = |row: &Vec<Entry>| written(&row[column.place]).chars().count();
            let widest = shown.rows.iter().map(text).max().unwrap_or(0);
            match shown.columns[column.place].align {
                Align::Left if widest > column.width => {
                    format!("p{{{:.1}em}}", column.width as f64 / 2.0)
                }
                Align::Left => "l".to_owned(),
                Align::Right => "r".to_owned(),
            }
        });
        let aligns: String = aligns.collect();
        out.push_str(&format!(
            "  \\begin{{tabular}}{{{aligns}}}\n    \\toprule\n"
        ));
        let line = |entry_of: &dyn Fn(usize) -> String| {
            let entries: Vec<String> = block.iter().map(|it| entry_of(it.place)).collect();
            format!("    {} \\\\\n", entries.join(" & "))
        };
        // Titles are broken as in the widths of the columns.
        let heads: Vec<Vec<String>> = block
            .iter()
            .map(|column| lines(&shown.columns[column.place].title, column.width))
            .collect();
        let height = heads.iter().map(Vec::len).max().unwrap_or(0);
        for n in 0..height {
            let parts = heads.iter().map(|head| {
                let part = (n + head.len()).checked_sub(height);
                part.and_then(|part| head.get(part))
                    .map_or_else(String::new, |part| escape(part))
            });
            let parts: Vec<String> = parts.collect();
            out.push_str(&format!("    {} \\\\\n", parts.join(" & ")));
        }
        out.push_str("    \\midrule\n");
        for row in &shown.rows {
            out.push_str(&line(&|column| escape(&written(&row[column]))));
        }
        out.push_str("    \\bottomrule\n  \\end{tabular}\n");
    }
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
