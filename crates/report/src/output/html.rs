//! Writes a report as one self-contained page of HTML.

use std::fmt::Write;

use drawing::escape;

use super::text::{MOST_ROWS, unmarked};
use crate::section::{Report, Section};
use crate::svg::{STYLE, draw};
use crate::table::{Align, Bound, Mark, Table};

/// The style sheet of a page.
const PAGE_STYLE: &str = include_str!("page.css");

/// Sorts and filters tables and saves plots, if scripts run. It is written without `<` and `&`, so
/// that the page is also well-formed XML.
const PAGE_SCRIPT: &str = include_str!("page.js");

/// Write a report as a self-contained page of HTML, which is readable without its script.
pub fn html(report: &Report) -> String {
    let title = match report.sections.as_slice() {
        [section] => section.title.clone(),
        sections => format!("{} experiments", sections.len()),
    };
    let mut out = String::new();
    put(
        &mut out,
        format_args!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <meta name=\"color-scheme\" content=\"light dark\"/>\n<title>{}</title>\n<style>\n{PAGE_STYLE}</style>\n\
         <style id=\"plot-style\">\n{STYLE}</style>\n</head>\n<body>\n<main>\n",
            escape(&title)
        ),
    );
    for (number, section) in report.sections.iter().enumerate() {
        section_html(number, section, &mut out);
    }
    put(
        &mut out,
        format_args!("</main>\n<script>\n{PAGE_SCRIPT}</script>\n</body>\n</html>\n"),
    );
    out
}

fn section_html(number: usize, section: &Section, out: &mut String) {
    put(
        out,
        format_args!(
            "<section id=\"s{number}\">\n<h1>{}</h1>\n",
            escape(&section.title)
        ),
    );
    for paragraph in section
        .description
        .split("\n\n")
        .filter(|text| !text.is_empty())
    {
        put(out, format_args!("<p>{}</p>\n", escape(paragraph)));
    }
    if !section.findings.is_empty() {
        out.push_str("<ul class=\"findings\">\n");
        for finding in &section.findings {
            put(out, format_args!("<li>{}</li>\n", escape(finding)));
        }
        out.push_str("</ul>\n");
    }
    for note in &section.notes {
        put(
            out,
            format_args!("<p class=\"note\">{}</p>\n", escape(note)),
        );
    }
    let is_main = |table: &&Table| {
        matches!(
            table.name,
            "coverage" | "summary" | "runs" | "published" | "analyses" | "steps"
        )
    };
    let tables = || section.tables.iter().enumerate();
    // The contents are in the order of the page.
    out.push_str("<nav aria-label=\"contents\"><ul>\n");
    let link = |(i, table): (usize, &Table)| {
        let title = escape(&table.title);
        format!("<li><a href=\"#s{number}t{i}\">{title}</a></li>\n")
    };
    let mut links: Vec<String> = tables()
        .filter(|(_, table)| is_main(table))
        .map(link)
        .collect();
    if !section.plots.is_empty() {
        links.push(format!("<li><a href=\"#s{number}plots\">Plots</a></li>\n"));
    }
    links.extend(tables().filter(|(_, table)| !is_main(table)).map(link));
    if !section.spec.is_empty() {
        links.push(format!(
            "<li><a href=\"#s{number}spec\">The experiment</a></li>\n"
        ));
    }
    out.push_str(&links.concat());
    out.push_str("</ul></nav>\n");
    for (i, table) in tables().filter(|(_, table)| is_main(table)) {
        table_html(&format!("s{number}t{i}"), table, out);
    }
    if !section.plots.is_empty() {
        put(
            out,
            format_args!("<h2 id=\"s{number}plots\">Plots</h2>\n<div class=\"plots\">\n"),
        );
        for plot in &section.plots {
            put(
                out,
                format_args!(
                    "<figure>\n<strong>{}</strong>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" \
                     aria-label=\"{}\">{}</div>\n<figcaption>{}</figcaption>\n</figure>\n",
                    escape(&plot.title),
                    escape(&plot.title),
                    draw(plot),
                    escape(&plot.caption)
                ),
            );
        }
        out.push_str("</div>\n");
    }
    for (i, table) in tables().filter(|(_, table)| !is_main(table)) {
        table_html(&format!("s{number}t{i}"), table, out);
    }
    if !section.spec.is_empty() {
        put(
            out,
            format_args!(
                "<h2 id=\"s{number}spec\">The experiment</h2>\n<p>Saved as <code>experiment.toml</code>, it is measured \
                 again by <code>psvn experiment experiment.toml -o results.jsonl</code>, and <code>psvn report \
                 results.jsonl</code> reports on it.</p>\n<details><summary>experiment.toml</summary>\
                 <pre tabindex=\"0\">{}</pre></details>\n",
                escape(&section.spec)
            ),
        );
    }
    out.push_str("</section>\n");
}

/// Tables with at least this number of columns may be wider than text, and have smaller letters.
const WIDE: usize = 9;

/// Longer texts may take several lines.
const LONG: usize = 40;

fn table_html(id: &str, table: &Table, out: &mut String) {
    let used = table.used_columns();
    put(
        out,
        format_args!(
            "<h2 id=\"{id}\">{}</h2>\n<p class=\"note\">{}</p>\n<div class=\"scroll{}\" tabindex=\"0\" role=\"region\" \
             aria-label=\"{}\"><table>\n<thead><tr>",
            escape(&table.title),
            escape(&table.caption),
            if used.len() >= WIDE { " wide" } else { "" },
            escape(&table.title),
        ),
    );
    let class = |align: Align| match align {
        Align::Left => "",
        Align::Right => " class=\"r\"",
    };
    for column in used.iter().map(|place| &table.columns[*place]) {
        put(
            out,
            format_args!(
                "<th scope=\"col\"{}>{}</th>",
                class(column.align),
                escape(&column.title)
            ),
        );
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for row in table.rows.iter().take(MOST_ROWS) {
        out.push_str("<tr>");
        for place in &used {
            let (column, entry) = (&table.columns[*place], &row[*place]);
            let class = match (column.align, entry.bound != Bound::Exact) {
                (Align::Right, false) => " class=\"r\"",
                (Align::Right, true) => " class=\"r limited\"",
                (Align::Left, true) => " class=\"limited\"",
                (Align::Left, false) if entry.text.chars().count() > LONG => " class=\"long\"",
                (Align::Left, false) => "",
            };
            // The sort key for the script, if it differs from the text.
            let number = entry.number.map(|number| format!(" data-v=\"{number}\""));
            put(
                out,
                format_args!(
                    "<td{class}{}>{}{}</td>",
                    number.unwrap_or_default(),
                    escape(&unmarked(entry)),
                    mark_html(entry.mark)
                ),
            );
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n</table></div>\n");
    if table.rows.len() > MOST_ROWS {
        put(
            out,
            format_args!(
                "<p class=\"note\">... and {} more rows, which the report as CSV or JSON has.</p>\n",
                table.rows.len() - MOST_ROWS
            ),
        );
    }
}

/// The mark of a comparison, distinguished by form and not by color alone.
fn mark_html(mark: Mark) -> String {
    let class = match mark {
        Mark::None => return String::new(),
        Mark::Better => "better",
        Mark::Worse => "worse",
        Mark::Same => "same",
    };
    let (words, sign) = (mark.in_words(), mark.sign());
    format!(" <span class=\"{class}\" role=\"img\" aria-label=\"{words}\">{sign}</span>")
}

fn put(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text)
        .expect("writing to a string doesn't fail");
}
