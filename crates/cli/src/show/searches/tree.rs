//! A tree counted by depth.

use std::io::{self, Write};
use std::time::Duration;

use psvn::solve::{TreeColumn, TreeReport};
use psvn::text::units::{format_seconds, format_work, group_digits};

use super::tree_rows::{n_rows_with_uncounted, rows, uncounted};
use crate::show::{Align, Records, Show, Style, Table};

impl Show for TreeReport {
    fn show(&self, _: &Style, out: &mut dyn Write) -> io::Result<()> {
        let report = self;
        writeln!(out, "{}, from {}", report.file, report.start)?;
        writeln!(
            out,
            "Generated nodes{} by depth, and how many times more there are than one depth above\n",
            match report.cost {
                Some(cost) => format!(" that cost at most {cost}"),
                None => String::new(),
            }
        )?;
        let mut head = vec![("depth".to_owned(), Align::Right)];
        for column in &report.columns {
            head.push((column.title(), Align::Right));
            head.push((String::new(), Align::Right));
        }
        let mut table = Table::new(head);
        for row in rows(report) {
            let mut cells = vec![row.depth.to_string()];
            for (column, cell) in report.columns.iter().zip(row.cells) {
                let growth = cell.growth.map(|growth| format!("{growth:.3}"));
                cells.extend([text_of(column, cell.nodes), growth.unwrap_or_default()]);
            }
            table.row(cells);
        }
        if let Some(depths) = uncounted(report) {
            let mut row = vec![depths];
            for column in &report.columns {
                row.extend([text_of(column, None), String::new()]);
            }
            table.row(row);
        }
        let mut total = vec!["total".to_owned()];
        for column in &report.columns {
            let generated = Some(column.total).filter(|_| column.complete);
            total.extend([text_of(column, generated), String::new()]);
        }
        table.row(total);
        table.print(out)?;
        if !report.complete {
            writeln!(out, "\n-: not counted to the end, since a limit came first")?;
        }
        let goals: Vec<String> = report
            .columns
            .iter()
            .filter(|column| column.complete)
            .filter_map(|column| {
                let goals = column.goals_in_last_ply?;
                Some(format!(
                    "{}: {}",
                    column.title(),
                    group_digits(goals.into())
                ))
            })
            .collect();
        if !goals.is_empty() {
            let depth = report.depth.unwrap_or(0);
            writeln!(
                out,
                "\nNodes at depth {depth} that are goal states: {}",
                goals.join(", ")
            )?;
        }
        // The times are outside the table, since they would change the widths of its columns.
        writeln!(out)?;
        for column in &report.columns {
            let work = format_work(column.counted, column.elapsed);
            let analysis = match column.max_length {
                None | Some(0) => String::new(),
                Some(_) => format!(
                    ", after {} of analysis{}",
                    format_seconds(Duration::from_secs_f64(column.analysis_seconds)),
                    if column.from_cache {
                        " (from the cache)"
                    } else {
                        ""
                    },
                ),
            };
            writeln!(out, "  {}: {work}{analysis}", column.title())?;
        }
        Ok(())
    }

    fn records(&self) -> Option<Records> {
        let titles = self.columns.iter().map(TreeColumn::title);
        let head = std::iter::once("depth".to_owned()).chain(titles).collect();
        // Depths that no column reached have rows too, with empty cells.
        let row = |depth: usize| {
            let counts = self.columns.iter().map(|column| {
                let count = column.nodes.get(depth);
                count.map(|count| count.0.to_string()).unwrap_or_default()
            });
            std::iter::once(depth.to_string()).chain(counts).collect()
        };
        let rows = (0..n_rows_with_uncounted(self)).map(row);
        Some(std::iter::once(head).chain(rows).collect())
    }
}

/// Return a count in a table for people; `-` for an incomplete one.
fn text_of(column: &TreeColumn, count: Option<u128>) -> String {
    match count {
        Some(count) => group_digits(count),
        None if column.complete => String::new(),
        None => "-".to_owned(),
    }
}
