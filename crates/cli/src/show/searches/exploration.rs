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
    let mut columns = vec!["moves", "states", "total"];
    if exploration.symmetries {
        columns.push("orbits");
    }
    if exploration.seeks_goals {
        columns.push("goals");
    }
    let columns: Vec<String> = columns.into_iter().map(str::to_owned).collect();
    writeln!(out, "{}", row(&columns))
}

/// Return the names of the fields of its layers in a table for spreadsheets.
pub(crate) fn layer_fields(exploration: &Exploration) -> &'static [&'static str] {
    if exploration.symmetries {
        &["distance", "states", "total", "seconds", "orbits"]
    } else if exploration.seeks_goals {
        &["distance", "states", "total", "seconds", "goals"]
    } else {
        &["distance", "states", "total", "seconds"]
    }
}

/// Return its line in the table under the [head](show_head).
pub(crate) fn layer_line(layer: &ExploredLayer) -> String {
    let more = layer.orbits.or(layer.goals);
    let numbers = numbers(layer).into_iter().chain(more);
    let cells: Vec<String> = numbers.map(grouped).collect();
    row(&cells)
}

/// Return its row in a table for spreadsheets.
pub(crate) fn layer_values(layer: &ExploredLayer) -> Vec<String> {
    let seconds = format!("{:.3}", layer.seconds);
    let more = layer.orbits.or(layer.goals);
    let more = more.map(|number| number.to_string());
    let numbers = numbers(layer).map(|number| number.to_string());
    numbers.into_iter().chain([seconds]).chain(more).collect()
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

/// Return the line about the way from the starts to the goals, if it was looked for.
fn way(report: &ExplorationReport) -> Option<String> {
    report.layers.iter().find_map(|layer| layer.goals)?;
    Some(match report.nearest_goal {
        Some(distance) => format!(
            "The nearest goal is {} away",
            count(distance as usize, "move")
        ),
        None if report.complete => "No goal can be reached".to_owned(),
        None => "No goal is that near".to_owned(),
    })
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
        if let Some(line) = way(report) {
            writeln!(out, "{line}")?;
        }
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
