//! Pattern databases: their contents and sizes.

use std::io::{self, Write};
use std::time::Duration;

use psvn::heuristic::{TableSize, TablesReport, WrittenTables};
use psvn::text::Parameter;
use psvn::text::units::{count, format_bytes, format_seconds, group_digits};

use crate::show::lines::entries;
use crate::show::row::{columns, records};
use crate::show::{Align, Records, Show, Style, Table};

impl Show for TablesReport {
    fn show(&self, style: &Style, out: &mut dyn Write) -> io::Result<()> {
        let report = self;
        writeln!(out, "{}", report.file)?;
        for table in &report.tables {
            writeln!(out, "\n{}", table.pattern)?;
            writeln!(
                out,
                "  {} of {}, {}: {}",
                entries(table.entries),
                count(table.bits_per_entry as usize, "bit"),
                format_bytes(u128::from(table.bytes)),
                table.ranking
            )?;
            if let Some(paying) = &table.paying {
                writeln!(out, "  pays for {}", paying.join(" "))?;
            }
            writeln!(
                out,
                "  {} reached, {} not; greatest distance {}{}, mean {:.3}",
                group_digits(table.reached.into()),
                group_digits(table.unreached.into()),
                table.max_distance,
                if table.saturated { " or more" } else { "" },
                table.mean_distance
            )?;
            if table.distribution.is_some() {
                writeln!(out)?;
                let mut rows = Table::new([("distance", Align::Right), ("entries", Align::Right)]);
                for level in &table.levels {
                    rows.row([level.distance.to_string(), level.entries.to_string()]);
                }
                rows.print(out)?;
            }
        }
        if report.additive {
            writeln!(
                out,
                "\nThe sum is a lower bound: no step is paid for twice."
            )?;
            if !report.not_covered.is_empty() {
                writeln!(out, "In no pattern: {}", report.not_covered.join(" "))?;
            }
        }
        if let Some(checked) = &report.checked
            && checked.mistake.is_none()
        {
            let consistent = match checked.inconsistent_steps {
                0 => "consistent".to_owned(),
                n => format!("not consistent at {}", count(n as usize, "step")),
            };
            writeln!(
                out,
                "\nChecked at {} and {}: admissible, {consistent}; mean estimate {:.3}",
                count(checked.states as usize, "state"),
                count(checked.steps as usize, "step"),
                checked.mean_estimate
            )?;
        }
        written(&report.written, style, out)?;
        let seconds = Duration::from_secs_f64(report.seconds);
        writeln!(out, "\n  {}", format_seconds(seconds))?;
        Ok(())
    }

    fn records(&self) -> Option<Records> {
        let tables = (1..).zip(&self.tables);
        let levels = tables.flat_map(|(table, report)| {
            report.levels.iter().map(move |level| DistanceOfTable {
                table,
                distance: level.distance,
                entries: level.entries,
            })
        });
        records(&levels.collect::<Vec<_>>())
    }
}

/// A distance of one of several tables.
struct DistanceOfTable {
    table: usize,
    distance: u64,
    entries: u64,
}

columns!(DistanceOfTable: table, distance, entries);

fn written(of: &WrittenTables, style: &Style, out: &mut dyn Write) -> io::Result<()> {
    if of.written.is_empty() {
        return Ok(());
    }
    write!(out, "\nWritten to {}", of.written.join(", "))?;
    if let Some(heuristic) = &of.heuristic {
        let them = if of.written.len() == 1 { "it" } else { "them" };
        let option = style.term(Parameter::Heuristic);
        write!(out, "; use {them} as `{option} {heuristic}`")?;
    }
    writeln!(out)?;
    Ok(())
}

impl Show for [TableSize] {
    fn show(&self, _: &Style, out: &mut dyn Write) -> io::Result<()> {
        for row in self {
            writeln!(out, "\n{}", row.pattern)?;
            writeln!(
                out,
                "  abstract game: {}, {}",
                count(row.variables, "variable"),
                count(row.rules, "rule")
            )?;
            let entries = group_digits(row.entries);
            writeln!(out, "  entries: {entries} ({})", row.ranking)?;
            writeln!(out, "  ranks to search: {}", group_digits(row.ranks))?;
            writeln!(
                out,
                "  memory while building: {}",
                format_bytes(row.building_bytes)
            )?;
        }
        Ok(())
    }

    fn records(&self) -> Option<Records> {
        records(self)
    }
}

columns!(TableSize: pattern, entries, ranks, building_bytes, ranking);
