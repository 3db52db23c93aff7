//! All states by their distance.

use std::io::{self, Write};
use std::time::Duration;

use psvn::Game;
use psvn::solve::{Exploration, ExplorationReport, ExploredLayer};
use psvn::text::units::{
    count, format_bytes, format_seconds, format_work, group_digits, group_text,
};

use crate::show::{Show, Style};

/// The widths of the table's columns: enough for the largest counts that fit a machine, since rows
/// come one by one.
const WIDTHS: [usize; 4] = [5, 16, 17, 16];

/// Write the lines before the first layer.
///
/// # Errors
/// When `out` can't be written to.
pub(crate) fn show_head(
    exploration: &Exploration,
    game: &Game,
    out: &mut dyn Write,
) -> io::Result<()> {
    let (from, to) = match exploration.starts.len() {
        0 => ("the goals".to_owned(), "to a goal"),
        1 => ("the start".to_owned(), "from there"),
        n => (format!("{n} starts"), "from there"),
    };
    writeln!(out, "{}, from {from}", game.name())?;
    writeln!(out, "States by the number of moves {to}\n")?;
    let columns = ["moves", "states", "total", "orbits"].map(str::to_owned);
    let n_columns = if exploration.symmetries { 4 } else { 3 };
    writeln!(out, "{}", row(&columns[..n_columns]))
}

/// Return the names of the fields of its layers in a table for spreadsheets.
pub(crate) fn layer_fields(exploration: &Exploration) -> &'static [&'static str] {
    if exploration.symmetries {
        &["distance", "states", "total", "seconds", "orbits"]
    } else {
        &["distance", "states", "total", "seconds"]
    }
}

/// Return its line in the table under the [head](show_head).
pub(crate) fn layer_line(layer: &ExploredLayer) -> String {
    let numbers = numbers(layer).into_iter().chain(layer.orbits);
    let cells: Vec<String> = numbers.map(grouped).collect();
    row(&cells)
}

/// Return its row in a table for spreadsheets.
pub(crate) fn layer_values(layer: &ExploredLayer) -> Vec<String> {
    let seconds = format!("{:.3}", layer.seconds);
    let orbits = layer.orbits.map(|orbits| orbits.to_string());
    let numbers = numbers(layer).map(|number| number.to_string());
    numbers.into_iter().chain([seconds]).chain(orbits).collect()
}

fn numbers(layer: &ExploredLayer) -> [u64; 3] {
    [layer.distance, layer.states, layer.total]
}

fn grouped(number: u64) -> String {
    group_digits(u128::from(number))
}

/// Return a row of the table, in columns of fixed widths.
fn row(cells: &[String]) -> String {
    let cells = cells.iter().zip(WIDTHS);
    cells
        .map(|(cell, width)| format!("  {cell:>width$}"))
        .collect()
}

/// Writes the lines after the layers.
impl Show for ExplorationReport {
    fn show(&self, _: &Style, out: &mut dyn Write) -> io::Result<()> {
        let report = self;
        let last = report.layers.len().saturating_sub(1);
        let (states, moves) = (grouped(report.states), count(last, "move"));
        let all = match &report.space {
            Some(digits) if !report.complete => format!(" of {}", group_text(digits)),
            _ => String::new(),
        };
        writeln!(out)?;
        match report.stopped {
            None if report.complete => {
                writeln!(out, "All {states} states are at most {moves} away")?;
            }
            None => writeln!(out, "{states}{all} states are at most {moves} away")?,
            Some(reason) => {
                let beyond = match report.beyond {
                    0 => String::new(),
                    n => format!("; {} or more states at distance {}", grouped(n), last + 1),
                };
                writeln!(
                    out,
                    "Stopped, since {}. {states}{all} states are at most {moves} away{beyond}",
                    reason.clause(),
                )?;
            }
        }
        for state in &report.farthest {
            writeln!(out, "  {moves}: {state}")?;
        }
        writeln!(out, "  stored: {}", report.storage_description)?;
        if let Some(distance) = report.resumed_from {
            writeln!(
                out,
                "  continued from distance {distance}, which was complete"
            )?;
        }
        if matches!(report.storage.as_str(), "disk" | "cluster") {
            let bytes = |bytes: u64| format_bytes(u128::from(bytes));
            let (read, written) = (bytes(report.bytes_read), bytes(report.bytes_written));
            write!(out, "  read {read}, wrote {written}")?;
            match report.processes {
                1 => writeln!(out)?,
                _ => writeln!(out, ", sent {}", bytes(report.bytes_sent))?,
            }
        }
        let elapsed = Duration::from_secs_f64(report.seconds);
        // By rank, moves to known states are not counted.
        let work = match report.storage.as_str() {
            "ranked" => format!("{states} states in {}", format_seconds(elapsed)),
            _ => format_work(u128::from(report.generated), elapsed),
        };
        writeln!(
            out,
            "  {work}, {}",
            format_bytes(u128::from(report.peak_bytes))
        )?;
        Ok(())
    }
}
