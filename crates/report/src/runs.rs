//! Combines repeated runs of an experiment.

use std::collections::HashMap;

use experiment::{Header, Record, Results};

use crate::stats::is_whole;

/// An experiment with the results of each of its runs.
pub(crate) struct Runs<'a> {
    /// The header of the first run.
    pub(crate) header: &'a Header,
    /// The results, run by run.
    pub(crate) runs: Vec<&'a [Record]>,
    /// One result for each cell.
    pub(crate) records: Vec<Record>,
    /// Remarks for the reader about the runs.
    pub(crate) notes: Vec<String>,
}

/// Identifies a cell of an experiment.
type Name<'a> = (&'a str, &'a str, &'a str, &'a str);

fn name(record: &Record) -> Name<'_> {
    (
        &record.key,
        &record.domain,
        &record.method,
        &record.instance,
    )
}

/// Combine the files with runs of one experiment: the same specification, on games with the same
/// contents, by the same program on the same machine. Other times can't be compared. Files without
/// results are left out.
pub(crate) fn by_experiment(results: &[Results]) -> Vec<Runs<'_>> {
    let mut found: Vec<(&Header, Vec<&Results>)> = Vec::new();
    for results in results {
        let Some(header) = &results.header else {
            continue;
        };
        let is_its = |(other, _): &&mut (&Header, Vec<&Results>)| {
            is_same_place(other, header) && other.spec == header.spec && other.games == header.games
        };
        match found.iter_mut().find(is_its) {
            Some((_, runs)) => runs.push(results),
            None => found.push((header, vec![results])),
        }
    }
    found
        .into_iter()
        .map(|(header, runs)| Runs::new(header, &runs))
        .collect()
}

/// Whether two runs were measured in the same way: by one version, on one machine, with the same
/// number of cells at a time.
fn is_same_place(one: &Header, other: &Header) -> bool {
    let place = |header: &Header| (header.processors, header.jobs);
    one.machine == other.machine && one.program == other.program && place(one) == place(other)
}

impl<'a> Runs<'a> {
    fn new(header: &'a Header, runs: &[&'a Results]) -> Self {
        let mut cells: Vec<Vec<&Record>> = Vec::new();
        let mut places: HashMap<Name<'_>, usize> = HashMap::new();
        for record in runs.iter().flat_map(|run| &run.records) {
            let place = *places.entry(name(record)).or_insert_with(|| {
                cells.push(Vec::new());
                cells.len() - 1
            });
            cells[place].push(record);
        }
        Self {
            header,
            records: cells.iter().filter_map(|cell| together(cell)).collect(),
            notes: notes(runs, &cells),
            runs: runs.iter().map(|run| run.records.as_slice()).collect(),
        }
    }
}

/// One result for the runs of a cell: their mean times. If a run didn't finish the cell, its result
/// represents all of them, so that a method never looks better than it was.
fn together(runs: &[&Record]) -> Option<Record> {
    let first = runs.first()?;
    if let Some(stopped) = runs.iter().find(|run| !is_whole(run)) {
        return Some((*stopped).clone());
    }
    let mean = |value: fn(&Record) -> f64| {
        let sum: f64 = runs.iter().map(|run| value(run)).sum();
        sum / runs.len() as f64
    };
    let mut record = (*first).clone();
    record.measured.seconds = mean(|run| run.measured.seconds);
    record.measured.preparation_seconds = mean(|run| run.measured.preparation_seconds);
    record.measured.reused_seconds = mean(|run| run.measured.reused_seconds);
    if runs.iter().all(|run| run.measured.cpu_seconds.is_some()) {
        record.measured.cpu_seconds = Some(mean(|run| run.measured.best_seconds()));
    }
    Some(record)
}

fn notes(runs: &[&Results], cells: &[Vec<&Record>]) -> Vec<String> {
    if runs.len() < 2 {
        return Vec::new();
    }
    let n_runs = runs.len();
    let mut notes = vec![format!(
        "Times are means over {n_runs} runs of the experiment; the table of runs shows how much they differ."
    )];
    let results_of = |record: &&Record| {
        let of = &record.measured;
        (of.outcome, of.cost, of.generated)
    };
    let is_mixed = |cell: &&Vec<&Record>| {
        let mut all = cell.iter().map(results_of);
        let first = all.next();
        all.any(|other| Some(other) != first)
    };
    let n_mixed = cells.iter().filter(is_mixed).count();
    if n_mixed > 0 {
        notes.push(format!(
            "{} with another outcome, cost or number of nodes in another run; a run that did not \
             finish a cell stands for all runs of it.",
            match n_mixed {
                1 => "1 cell ended".to_owned(),
                n => format!("{} cells ended", crate::group_digits(n as u128)),
            }
        ));
    }
    notes
}
