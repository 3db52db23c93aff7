//! The tables and plots of one experiment.

use std::collections::BTreeMap;

use experiment::{Outcome, Record, Results, Spec};

use crate::plots::plot::Plot;
use crate::runs::{self, Runs};
use crate::stats::Group;
use crate::table::Table;
use crate::{plots, sentences, tables};

/// A report.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// One section for each experiment.
    pub sections: Vec<Section>,
}

/// The tables and plots of one experiment.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    /// The title of the experiment.
    pub title: String,
    /// Its subject.
    pub description: String,
    /// The findings, in sentences.
    pub findings: Vec<String>,
    /// Remarks for the reader: missing results, the machine.
    pub notes: Vec<String>,
    /// The tables; the last one lists the single cells.
    pub tables: Vec<Table>,
    /// The instances finished over time in all domains together, which stands before all else.
    pub front: Option<Plot>,
    /// The other plots.
    pub plots: Vec<Plot>,
    /// The specification, as TOML, for repeating the experiment.
    pub spec: String,
}

impl Report {
    /// Make a report of some experiments. Runs of one experiment in several files are combined.
    pub fn new(results: &[Results]) -> Self {
        let experiments = runs::by_experiment(results);
        Self {
            sections: experiments.iter().map(Section::new).collect(),
        }
    }
}

/// The names of all tables, in the order of a section.
pub const TABLE_NAMES: [&str; 11] = [
    "coverage",
    "summary",
    "methods",
    "runs",
    "analyses",
    "published",
    "steps",
    "laws",
    "levels",
    "costs",
    "cells",
];

impl Section {
    /// Return all plots, that of the front first.
    pub fn all_plots(&self) -> impl Iterator<Item = &Plot> {
        self.front.iter().chain(&self.plots)
    }

    fn new(runs: &Runs<'_>) -> Self {
        let (header, records) = (runs.header, runs.records.as_slice());
        let spec = &header.spec;
        let groups = groups(spec, records);
        let spreads = tables::cells::runs::spreads(&groups, &runs.runs);
        let limits = limits_in_words(spec);
        let mut tables = Vec::new();
        tables.extend(tables::coverage(&groups, &limits));
        tables.extend(tables::summary(spec, &groups, &limits));
        tables.extend(tables::methods(&groups));
        tables.extend(tables::cells::runs::table(&spreads));
        tables.extend(tables::analyses(spec, &groups));
        tables.extend(tables::published::table(spec, &groups, &limits));
        tables.extend(tables::by_steps(spec, &groups, &limits));
        tables.extend(tables::laws::tables(spec, &groups, &limits));
        tables.extend(tables::levels(&groups, &limits));
        tables.extend(tables::costs(&groups));
        tables.push(tables::cells(&groups, &limits));
        Self {
            title: spec.title.clone(),
            description: spec.description.trim().to_owned(),
            findings: sentences::findings(&groups),
            notes: notes(runs)
                .into_iter()
                .chain(runs.notes.clone())
                .chain(sentences::spread(&spreads))
                .collect(),
            front: plots::cactus::plot(&groups, &limits),
            plots: plots::all(spec, &groups, &limits),
            tables,
            spec: spec_text(spec),
        }
    }
}

/// A specification as a file, or why it can't be written as one: TOML has no numbers above 2^63.
fn spec_text(spec: &Spec) -> String {
    toml::to_string(spec).unwrap_or_else(|error| format!("# {error}\n"))
}

/// The records by domain and method, in the order of the experiment.
fn groups<'a>(spec: &'a Spec, records: &'a [Record]) -> Vec<Group<'a>> {
    let mut by_name: BTreeMap<(&str, &str), Vec<&Record>> = BTreeMap::new();
    for record in records {
        let name = (record.domain.as_str(), record.method.as_str());
        by_name.entry(name).or_default().push(record);
    }
    let mut groups = Vec::new();
    for domain in &spec.domains {
        let mut commands: Vec<&str> = Vec::new();
        for method in &spec.methods {
            let name = (domain.name.as_str(), method.name.as_str());
            if let Some(records) = by_name.remove(&name) {
                groups.push(Group {
                    domain: name.0,
                    method: name.1,
                    command: &method.command,
                    is_first: !commands.contains(&method.command.as_str()),
                    records,
                });
                commands.push(&method.command);
            }
        }
    }
    groups
}

fn limits_in_words(spec: &Spec) -> String {
    let limits = &spec.limits;
    let mut parts: Vec<String> = Vec::new();
    parts.extend(limits.time.clone());
    parts.extend(
        limits
            .nodes
            .map(|n| format!("{} nodes", crate::group_digits(n.into()))),
    );
    parts.extend(
        limits
            .memory
            .as_ref()
            .map(|memory| format!("{memory} of memory")),
    );
    match parts.as_slice() {
        [] => "without limits".to_owned(),
        parts => format!("limits for each cell: {}", parts.join(", ")),
    }
}

fn notes(runs: &Runs<'_>) -> Vec<String> {
    let (header, records) = (runs.header, &runs.records);
    let machine = match &header.machine {
        Some(name) => format!("{name}, {} processors", header.processors),
        None => format!("a machine with {} processors", header.processors),
    };
    let date = runs.days.map(|(first, last)| {
        if first == last {
            format!(" on {first}")
        } else {
            format!(" from {first} to {last}")
        }
    });
    let mut notes = vec![format!(
        "{} of {} cells are done. Measured{} by {} on {machine}, {} at a time.",
        crate::group_digits(records.len() as u128),
        crate::group_digits(header.cells as u128),
        date.unwrap_or_default(),
        header.program,
        if header.jobs == 1 {
            "one cell".to_owned()
        } else {
            format!("{} cells", header.jobs)
        },
    )];
    let n =
        |is_it: fn(Outcome) -> bool| records.iter().filter(|r| is_it(r.measured.outcome)).count();
    let limited = n(Outcome::is_limit);
    if limited > 0 {
        notes.push(format!(
            "{} stopped by a limit: > and < mark bounds of what could not be measured. Limits and times are by the clock.",
            cells_were(limited)
        ));
    }
    let failed = n(|outcome| outcome == Outcome::Failed);
    if failed > 0 {
        notes.push(format!(
            "{} not run; the table of cells says why.",
            cells_were(failed)
        ));
    }
    notes
}

fn cells_were(n: usize) -> String {
    match n {
        1 => "1 cell was".to_owned(),
        n => format!("{} cells were", crate::group_digits(n as u128)),
    }
}
