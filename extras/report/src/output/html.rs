//! Writes a report as one self-contained page of HTML.

use std::fmt::Write;

use drawing::escape;

use super::text::{MOST_ROWS, unmarked};
use crate::plots::plot::Plot;
use crate::section::{Report, Section};
use crate::svg::{STYLE, draw, draw_low};
use crate::table::{Align, Bound, Column, Mark, Table};

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
    front_html(number, section, out);
    let is_in_front = |table: &Table| table.name == "coverage";
    let is_main = |table: &Table| {
        matches!(
            table.name,
            "summary" | "methods" | "runs" | "published" | "analyses" | "steps"
        )
    };
    let tables = || section.tables.iter().enumerate();
    let main = || tables().filter(|(_, table)| is_main(table));
    let others = || tables().filter(|(_, table)| !is_main(table) && !is_in_front(table));
    let id = |place: usize| format!("s{number}t{place}");
    // The contents are in the order of the page.
    let link =
        |id: &str, title: &str| format!("<li><a href=\"#{id}\">{}</a></li>\n", escape(title));
    let mut links: Vec<String> = main()
        .map(|(place, table)| link(&id(place), &table.title))
        .collect();
    if !section.plots.is_empty() {
        links.push(link(&format!("s{number}plots"), "Plots"));
    }
    if others().count() > 1 {
        links.push(link(&format!("s{number}more"), "Tables by domain"));
    }
    let cells = others().filter(|(_, table)| table.name == "cells");
    links.extend(cells.map(|(place, table)| link(&id(place), &table.title)));
    if !section.spec.is_empty() {
        links.push(link(&format!("s{number}spec"), "The experiment"));
    }
    put(
        out,
        format_args!(
            "<nav aria-label=\"contents\"><ul>\n{}</ul></nav>\n",
            links.concat()
        ),
    );
    let paragraphs = section.description.split("\n\n");
    for paragraph in paragraphs.filter(|text| !text.is_empty()) {
        put(out, format_args!("<p>{}</p>\n", escape(paragraph)));
    }
    for note in &section.notes {
        put(
            out,
            format_args!("<p class=\"note\">{}</p>\n", escape(note)),
        );
    }
    for (place, table) in main() {
        table_html(&id(place), table, out);
    }
    plots_html(number, section, out);
    if others().count() > 1 {
        put(
            out,
            format_args!("<h2 id=\"s{number}more\">Tables by domain</h2>\n<ul class=\"more\">\n"),
        );
        for (place, table) in others() {
            out.push_str(&link(&id(place), &table.title));
        }
        out.push_str("</ul>\n");
    }
    for (place, table) in others() {
        table_html(&id(place), table, out);
    }
    if !section.spec.is_empty() {
        // In full on paper, where nothing can be opened.
        put(
            out,
            format_args!(
                "<h2 id=\"s{number}spec\">The experiment</h2>\n<p>Saved as <code>experiment.toml</code>, it is measured \
                 again by <code>psvn experiment experiment.toml -o results.jsonl</code>, and <code>psvn report \
                 results.jsonl</code> reports on it.</p>\n<pre class=\"spec\" tabindex=\"0\" role=\"region\" \
                 aria-label=\"experiment.toml\">{}</pre>\n",
                escape(&section.spec)
            ),
        );
    }
    out.push_str("</section>\n");
}

/// What a reader sees first: the table of domains by methods, the findings, and the instances
/// finished over time.
fn front_html(number: usize, section: &Section, out: &mut String) {
    let tables = section.tables.iter().enumerate();
    let table = tables
        .into_iter()
        .find(|(_, table)| table.name == "coverage");
    // Beside a narrow table there is room for the plot.
    let is_wide = table.is_some_and(|(_, table)| table.columns.len() > 6);
    let class = if is_wide { "front over" } else { "front" };
    put(out, format_args!("<div class=\"{class}\">\n<div>\n"));
    if let Some((place, table)) = table {
        table_html(&format!("s{number}t{place}"), table, out);
    }
    if is_wide {
        out.push_str("</div>\n<div>\n");
    }
    if !section.findings.is_empty() {
        out.push_str("<ul class=\"findings\">\n");
        for finding in &section.findings {
            put(out, format_args!("<li>{}</li>\n", escape(finding)));
        }
        out.push_str("</ul>\n");
    }
    out.push_str("</div>\n");
    if let Some(plot) = &section.front {
        figure_html(plot, &draw_low(plot), out);
    }
    out.push_str("</div>\n");
}

fn plots_html(number: usize, section: &Section, out: &mut String) {
    if section.plots.is_empty() {
        return;
    }
    put(
        out,
        format_args!("<h2 id=\"s{number}plots\">Plots</h2>\n<div class=\"plots\">\n"),
    );
    for plot in &section.plots {
        figure_html(plot, &draw(plot), out);
    }
    out.push_str("</div>\n");
}

/// A plot in a region, whose name tells it apart from that of a table with the same title.
fn figure_html(plot: &Plot, drawn: &str, out: &mut String) {
    let title = escape(&plot.title);
    put(
        out,
        format_args!(
            "<figure>\n<strong>{title}</strong>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" \
             aria-label=\"Plot: {title}\">{drawn}</div>\n<figcaption>{}</figcaption>\n</figure>\n",
            escape(&plot.caption)
        ),
    );
}

/// Tables with at least this number of columns may be wider than text, and have smaller letters.
const WIDE: usize = 9;

/// Longer texts may take several lines.
const LONG: usize = 40;

fn table_html(id: &str, table: &Table, out: &mut String) {
    let used = table.used_columns();
    let has_essential = used.iter().any(|place| table.columns[*place].is_essential);
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
    // Columns that aren't essential don't fit on paper.
    let is_left_out = |column: &Column| has_essential && !column.is_essential;
    for column in used.iter().map(|place| &table.columns[*place]) {
        let class = class_of(&[
            (column.align == Align::Right).then_some("r"),
            is_left_out(column).then_some("x"),
        ]);
        put(
            out,
            format_args!("<th scope=\"col\"{class}>{}</th>", escape(&column.title)),
        );
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for row in table.rows.iter().take(MOST_ROWS) {
        out.push_str("<tr>");
        for place in &used {
            let (column, entry) = (&table.columns[*place], &row[*place]);
            let is_text = column.align == Align::Left;
            let class = class_of(&[
                (!is_text).then_some("r"),
                (entry.bound != Bound::Exact).then_some("limited"),
                (is_text && entry.text.chars().count() > LONG).then_some("long"),
                is_left_out(column).then_some("x"),
                entry.shade.map(|_| "shade"),
            ]);
            let shade = entry.shade.map(|shade| {
                let percent = (100.0 * shade).round();
                format!(" style=\"--shade:{percent}%\"")
            });
            // The sort key for the script, if it differs from the text.
            let number = entry.number.map(|number| format!(" data-v=\"{number}\""));
            put(
                out,
                format_args!(
                    "<td{class}{}{}>{}{}</td>",
                    number.unwrap_or_default(),
                    shade.unwrap_or_default(),
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

/// The attribute of some classes.
fn class_of(classes: &[Option<&str>]) -> String {
    let classes: Vec<&str> = classes.iter().copied().flatten().collect();
    if classes.is_empty() {
        String::new()
    } else {
        format!(" class=\"{}\"", classes.join(" "))
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
