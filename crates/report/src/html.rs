//! A report as one page of HTML that needs nothing else.

use std::fmt::Write;

use drawing::escape;

use crate::format::{MOST_ROWS, written};
use crate::section::{Report, Section};
use crate::svg::{STYLE, draw};
use crate::table::{Align, Bound, Table};

const PAGE_STYLE: &str = "\
:root{color-scheme:light dark;--page:#ffffff;--text:#1d2733;--soft:#5a6672;--rule:#d5dbe1;--head:#f2f5f8;--mark:#b03a00}
@media (prefers-color-scheme:dark){:root{--page:#161b21;--text:#e3e8ee;--soft:#a3afbb;--rule:#3a4450;--head:#202730;\
--mark:#ff9a5c}}
@media print{:root{--page:#ffffff;--text:#000000;--soft:#333333;--rule:#999999;--head:#ffffff;--mark:#000000}}
body{margin:0 auto;max-width:72rem;padding:1.5rem 1rem 4rem;background:var(--page);color:var(--text);\
font:16px/1.5 system-ui,-apple-system,'Segoe UI','DejaVu Sans',sans-serif}
h1{font-size:1.7rem;line-height:1.25;margin:2rem 0 .5rem}h2{font-size:1.15rem;margin:2.2rem 0 .4rem}
p{max-width:46rem}p.note,figcaption,caption{color:var(--soft);font-size:.9rem}
nav ul{columns:2 20rem;padding-left:1.2rem}a{color:inherit}
figure{margin:0 0 2rem;break-inside:avoid}figcaption{max-width:46rem;margin-top:.4rem}
figure svg{max-width:100%;height:auto;display:block}
.plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,32rem),1fr));gap:1rem 2rem}
.scroll{overflow-x:auto}
table{border-collapse:collapse;font-size:.9rem;font-variant-numeric:tabular-nums}
th,td{padding:.2rem .7rem;border-bottom:1px solid var(--rule);text-align:left;vertical-align:top}
thead th{background:var(--head);white-space:nowrap}
.r{text-align:right;white-space:nowrap}.limited{color:var(--mark)}
@media print{body{max-width:none;padding:0;font-size:11pt}nav{display:none}table{font-size:8.5pt}\
th,td{padding:.1rem .4rem}thead{display:table-header-group}tr{break-inside:avoid}.scroll{overflow:visible}\
.plots{display:block}}
";

/// Write a report as a self-contained page of HTML, without scripts.
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
         <meta name=\"color-scheme\" content=\"light dark\"/>\n<title>{}</title>\n<style>\n{PAGE_STYLE}{STYLE}</style>\n\
         </head>\n<body>\n<main>\n",
            escape(&title)
        ),
    );
    for (number, section) in report.sections.iter().enumerate() {
        section_html(number, section, &mut out);
    }
    out.push_str("</main>\n</body>\n</html>\n");
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
    for note in &section.notes {
        put(
            out,
            format_args!("<p class=\"note\">{}</p>\n", escape(note)),
        );
    }
    out.push_str("<nav><ul>\n");
    for (i, table) in section.tables.iter().enumerate() {
        put(
            out,
            format_args!(
                "<li><a href=\"#s{number}t{i}\">{}</a></li>\n",
                escape(&table.title)
            ),
        );
    }
    if !section.plots.is_empty() {
        put(
            out,
            format_args!("<li><a href=\"#s{number}plots\">Plots</a></li>\n"),
        );
    }
    out.push_str("</ul></nav>\n");
    let is_main =
        |table: &&Table| matches!(table.name, "summary" | "published" | "analyses" | "steps");
    let tables = || section.tables.iter().enumerate();
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
                    "<figure>\n<strong>{}</strong>\n{}\n<figcaption>{}</figcaption>\n</figure>\n",
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
    out.push_str("</section>\n");
}

fn table_html(id: &str, table: &Table, out: &mut String) {
    put(
        out,
        format_args!(
            "<h2 id=\"{id}\">{}</h2>\n<p class=\"note\">{}</p>\n<div class=\"scroll\"><table>\n<thead><tr>",
            escape(&table.title),
            escape(&table.caption)
        ),
    );
    let class = |align: Align| match align {
        Align::Left => "",
        Align::Right => " class=\"r\"",
    };
    let used = table.used_columns();
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
                (Align::Left, false) => "",
            };
            put(
                out,
                format_args!("<td{class}>{}</td>", escape(&written(entry))),
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

fn put(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text)
        .expect("writing to a string doesn't fail");
}
