//! What is said of pattern databases.

use std::io::Write;
use std::path::PathBuf;

use pattern_databases::{CheckReport, PatternDatabase, Sizes};
use psvn_ir::{DomainId, Game};
use serde::Serialize;

use crate::failure::Failure;
use crate::output::Format;
use crate::output::table::{Align, Table};
use crate::session::Context;
use psvn::heuristic::HeuristicSpec;
use psvn::text::units::{count, format_bytes};

/// How many entries have a distance.
#[derive(Serialize)]
pub(super) struct Level {
    distance: u64,
    entries: u64,
}

/// One table.
#[derive(Serialize)]
pub(super) struct TableRow {
    pattern: String,
    entries: u64,
    bits_per_entry: u32,
    bytes: u64,
    ranking: String,
    /// The values that pay for steps, where costs are charged to values.
    paying: Option<Vec<String>>,
    reached: u64,
    /// Entries from which no goal can be reached, and numbers that belong to no state.
    unreached: u64,
    max_distance: u64,
    mean_distance: f64,
    saturated: bool,
    consistent: bool,
    assumed_invariants: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    distribution: Option<Vec<Level>>,
    #[serde(skip)]
    levels: Vec<(u64, u64)>,
}

impl TableRow {
    pub(super) fn new(
        pattern: String,
        game: &Game,
        table: &PatternDatabase,
        summary: bool,
    ) -> Self {
        let (levels, unreached) = table.distribution();
        let reached: u64 = levels.iter().map(|(_, n)| n).sum();
        let sum: f64 = levels.iter().map(|(d, n)| *d as f64 * *n as f64).sum();
        let level = |(distance, entries): &(u64, u64)| Level {
            distance: *distance,
            entries: *entries,
        };
        let domains = (0..game.domains().len()).map(DomainId::from_index);
        let mut paying: Option<Vec<String>> = None;
        for domain in domains {
            for value in table.charged_values(domain).into_iter().flatten() {
                let name = game.domain(domain).value_name(value).to_owned();
                paying.get_or_insert_default().push(name);
            }
        }
        Self {
            pattern,
            entries: table.n_entries(),
            bits_per_entry: table.width().bits(),
            bytes: table.n_bytes(),
            ranking: table.ranking().describe(),
            paying,
            reached,
            unreached,
            max_distance: levels.last().map_or(0, |(distance, _)| *distance),
            mean_distance: if reached > 0 {
                sum / reached as f64
            } else {
                0.0
            },
            saturated: table.is_saturated(),
            consistent: table.is_consistent(),
            assumed_invariants: table.assumed().to_vec(),
            distribution: summary.then(|| levels.iter().map(level).collect()),
            levels,
        }
    }
}

/// What `--check` found.
#[derive(Serialize)]
pub(super) struct Checked {
    states: u64,
    steps: u64,
    inconsistent_steps: u64,
    mean_estimate: f64,
    pub(super) mistake: Option<String>,
}

impl From<CheckReport> for Checked {
    fn from(report: CheckReport) -> Self {
        Self {
            states: report.states,
            steps: report.steps,
            inconsistent_steps: report.inconsistent,
            mean_estimate: report.estimates as f64 / report.states.max(1) as f64,
            mistake: report.mistake,
        }
    }
}

/// The files that were written.
#[derive(Default, Serialize)]
pub(super) struct Written {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    written: Vec<String>,
    /// What to give to `--heuristic` to use them, if that takes their names.
    #[serde(skip_serializing_if = "Option::is_none")]
    heuristic: Option<String>,
}

impl Written {
    pub(super) fn new(paths: &[PathBuf], additive: bool) -> Self {
        let written: Vec<String> = paths
            .iter()
            .map(|path| path.display().to_string())
            .collect();
        let heuristic = written.join(if additive { "+" } else { "," });
        // Names with commas and the like mean something else there.
        let is_read = written
            .iter()
            .all(|name| HeuristicSpec::is_file(name) && name.trim() == name);
        Self {
            heuristic: (is_read && !written.is_empty()).then_some(heuristic),
            written,
        }
    }

    fn write_text(&self, out: &mut impl Write) -> Result<(), Failure> {
        if self.written.is_empty() {
            return Ok(());
        }
        write!(out, "\nWritten to {}", self.written.join(", "))?;
        if let Some(heuristic) = &self.heuristic {
            let them = if self.written.len() == 1 {
                "it"
            } else {
                "them"
            };
            write!(out, "; use {them} as `--heuristic {heuristic}`")?;
        }
        writeln!(out)?;
        Ok(())
    }
}

#[derive(Serialize)]
pub(super) struct Report {
    pub(super) file: String,
    pub(super) tables: Vec<TableRow>,
    #[serde(flatten)]
    pub(super) written: Written,
    pub(super) additive: bool,
    pub(super) not_covered: Vec<String>,
    pub(super) seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) checked: Option<Checked>,
}

impl Report {
    pub(super) fn print(&self, cx: &mut Context) -> Result<(), Failure> {
        match cx.format {
            Format::Json => cx.out.json(self),
            Format::Csv => self.write_csv(cx),
            Format::Text => self.write_text(cx),
        }
    }

    fn write_csv(&self, cx: &mut Context) -> Result<(), Failure> {
        cx.out.csv(["table", "distance", "entries"])?;
        for (number, table) in self.tables.iter().enumerate() {
            for (distance, entries) in &table.levels {
                let fields = [
                    (number + 1).to_string(),
                    distance.to_string(),
                    entries.to_string(),
                ];
                cx.out.csv(fields)?;
            }
        }
        Ok(())
    }

    fn write_text(&self, cx: &mut Context) -> Result<(), Failure> {
        let out = &mut cx.out;
        writeln!(out, "{}", self.file)?;
        for table in &self.tables {
            writeln!(out, "\n{}", table.pattern)?;
            writeln!(
                out,
                "  {} of {} bits, {}: {}",
                entries(table.entries),
                table.bits_per_entry,
                format_bytes(u128::from(table.bytes)),
                table.ranking
            )?;
            if let Some(paying) = &table.paying {
                writeln!(out, "  pays for {}", paying.join(" "))?;
            }
            writeln!(
                out,
                "  {} reached, {} not; greatest distance {}{}, mean {:.3}",
                table.reached,
                table.unreached,
                table.max_distance,
                if table.saturated { " or more" } else { "" },
                table.mean_distance
            )?;
            if table.distribution.is_some() {
                writeln!(out)?;
                let mut rows = Table::new([("distance", Align::Right), ("entries", Align::Right)]);
                for (distance, entries) in &table.levels {
                    rows.row([distance.to_string(), entries.to_string()]);
                }
                rows.print(out)?;
            }
        }
        if self.additive {
            writeln!(
                out,
                "\nThe sum is a lower bound: no step is paid for twice."
            )?;
            if !self.not_covered.is_empty() {
                writeln!(out, "In no pattern: {}", self.not_covered.join(" "))?;
            }
        }
        if let Some(checked) = &self.checked
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
        self.written.write_text(out)?;
        let seconds = std::time::Duration::from_secs_f64(self.seconds);
        writeln!(out, "\n  {}", psvn::text::units::format_seconds(seconds))?;
        Ok(())
    }
}

fn entries(n: u64) -> String {
    match n {
        1 => "1 entry".to_owned(),
        n => format!("{n} entries"),
    }
}

/// The size of one table.
#[derive(Serialize)]
pub(super) struct SizeRow {
    pattern: String,
    entries: String,
    ranks: String,
    building_bytes: String,
    ranking: String,
    variables: usize,
    rules: usize,
    #[serde(skip)]
    bytes: u128,
}

impl SizeRow {
    pub(super) fn new(pattern: &str, sizes: Sizes) -> Self {
        Self {
            pattern: pattern.to_owned(),
            entries: sizes.entries.to_string(),
            ranks: sizes.ranks.to_string(),
            building_bytes: sizes.building_bytes.to_string(),
            ranking: sizes.ranking,
            variables: sizes.game.n_variables,
            rules: sizes.game.n_rules,
            bytes: sizes.building_bytes,
        }
    }
}

pub(super) fn print_sizes(file: &str, rows: &[SizeRow], cx: &mut Context) -> Result<(), Failure> {
    match cx.format {
        Format::Json => cx.out.json(&rows),
        Format::Csv => {
            cx.out
                .csv(["pattern", "entries", "ranks", "building_bytes", "ranking"])?;
            for row in rows {
                let numbers = [&row.pattern, &row.entries, &row.ranks, &row.building_bytes];
                cx.out.csv(numbers.into_iter().chain([&row.ranking]))?;
            }
            Ok(())
        }
        Format::Text => {
            writeln!(cx.out, "{file}")?;
            for row in rows {
                let out = &mut cx.out;
                writeln!(out, "\n{}", row.pattern)?;
                writeln!(
                    out,
                    "  abstract game: {}, {}",
                    count(row.variables, "variable"),
                    count(row.rules, "rule")
                )?;
                writeln!(out, "  entries: {} ({})", row.entries, row.ranking)?;
                writeln!(out, "  ranks to search: {}", row.ranks)?;
                writeln!(out, "  memory while building: {}", format_bytes(row.bytes))?;
            }
            Ok(())
        }
    }
}
