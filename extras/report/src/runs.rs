//! Combines repeated runs of an experiment.

use std::collections::{BTreeSet, HashMap};

use experiment::{Header, Record, Results};

use crate::stats::is_whole;

/// An experiment with the results of each of its runs.
pub(crate) struct Runs<'a> {
    /// The header of a run: the runs of an experiment differ only by the day.
    pub(crate) header: &'a Header,
    /// The first day on which a run began, and the last one.
    pub(crate) days: Option<(&'a str, &'a str)>,
    /// The results, run by run, in an order that doesn't depend on that of the files.
    pub(crate) runs: Vec<&'a [Record]>,
    /// One result for each cell.
    pub(crate) records: Vec<Record>,
    /// Remarks for the reader about the runs.
    pub(crate) notes: Vec<String>,
}

/// Identifies a cell of an experiment.
type Name<'a> = (&'a str, &'a str, &'a str, &'a str);

/// Cells with other results in another run are listed up to this number.
const MOST_MIXED: usize = 3;

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
    let mut found: Vec<(&Header, Vec<(&Header, &Results)>)> = Vec::new();
    for results in results {
        let Some(header) = &results.header else {
            continue;
        };
        let is_its = |(other, _): &&mut (&Header, Vec<_>)| {
            is_same_place(other, header) && other.spec == header.spec && other.games == header.games
        };
        match found.iter_mut().find(is_its) {
            Some((_, runs)) => runs.push((header, results)),
            None => found.push((header, vec![(header, results)])),
        }
    }
    let runs = found.into_iter().map(|(_, runs)| runs);
    runs.filter_map(Runs::new).collect()
}

/// Whether two runs were measured in the same way: by one version, on one machine, with the same
/// number of cells at a time.
fn is_same_place(one: &Header, other: &Header) -> bool {
    let place = |header: &Header| (header.processors, header.jobs);
    one.machine == other.machine && one.program == other.program && place(one) == place(other)
}

impl<'a> Runs<'a> {
    /// Combine runs, of which there is at least one.
    fn new(mut runs: Vec<(&'a Header, &'a Results)>) -> Option<Self> {
        // By the day, and else by their contents.
        runs.sort_by_cached_key(|(header, results)| {
            let contents = serde_json::to_string(&results.records);
            (header.date.clone(), contents.unwrap_or_default())
        });
        let (header, _) = *runs.first()?;
        let days = || runs.iter().filter_map(|(header, _)| header.date.as_deref());
        let mut cells: Vec<Vec<&Record>> = Vec::new();
        let mut places: HashMap<Name<'_>, usize> = HashMap::new();
        for record in runs.iter().flat_map(|(_, run)| &run.records) {
            let place = *places.entry(name(record)).or_insert_with(|| {
                cells.push(Vec::new());
                cells.len() - 1
            });
            cells[place].push(record);
        }
        Some(Self {
            header,
            days: days().min().zip(days().max()),
            records: cells.iter().filter_map(|cell| together(cell)).collect(),
            notes: notes(runs.len(), &cells),
            runs: runs.iter().map(|(_, run)| run.records.as_slice()).collect(),
        })
    }
}

/// One result for the runs of a cell: their mean times, and the other figures of the run that
/// needed most. A run that didn't finish the cell stands for all of them. So a method never looks
/// better than it was.
fn together(runs: &[&Record]) -> Option<Record> {
    let need = |run: &&&Record| (!is_whole(run), run.measured.generated, run.measured.states);
    let mut record = Record::clone(runs.iter().max_by_key(need)?);
    if !is_whole(&record) {
        return Some(record);
    }
    let mean = |value: fn(&Record) -> f64| {
        let sum: f64 = runs.iter().map(|run| value(run)).sum();
        sum / runs.len() as f64
    };
    record.measured.seconds = mean(|run| run.measured.seconds);
    record.measured.preparation_seconds = mean(|run| run.measured.preparation_seconds);
    record.measured.reused_seconds = mean(|run| run.measured.reused_seconds);
    if runs.iter().all(|run| run.measured.cpu_seconds.is_some()) {
        record.measured.cpu_seconds = Some(mean(|run| run.measured.cpu_seconds.unwrap_or(0.0)));
    }
    Some(record)
}

fn notes(n_runs: usize, cells: &[Vec<&Record>]) -> Vec<String> {
    if n_runs < 2 {
        return Vec::new();
    }
    let mut notes = vec![format!(
        "Times are means over {n_runs} runs of the experiment; the table of runs shows how much they differ."
    )];
    let mixed: Vec<String> = cells.iter().filter_map(|cell| difference(cell)).collect();
    if !mixed.is_empty() {
        let cells = match mixed.len() {
            1 => "1 cell".to_owned(),
            n => format!("{} cells", crate::group_digits(n as u128)),
        };
        let shown = mixed[..mixed.len().min(MOST_MIXED)].join("; ");
        let more = if mixed.len() > MOST_MIXED {
            "; and so on"
        } else {
            ""
        };
        notes.push(format!(
            "Runs differ in {cells}, for which the run that needed most is shown: {shown}{more}."
        ));
    }
    notes
}

/// The results of a cell in its runs, if they differ by more than their times.
fn difference(cell: &[&Record]) -> Option<String> {
    let of = |value: fn(&Record) -> String| {
        let values: BTreeSet<String> = cell.iter().map(|record| value(record)).collect();
        let values: Vec<String> = values.into_iter().filter(|it| !it.is_empty()).collect();
        (values.len() > 1).then(|| values.join(" and "))
    };
    let outcome: fn(&Record) -> String = |record| record.measured.outcome.in_words().to_owned();
    let found = of(outcome)
        .or_else(|| of(|record| figure(record.measured.cost, "cost")))
        .or_else(|| of(|record| figure(record.measured.generated, "nodes")))?;
    let first = cell.first()?;
    let name = [&first.domain, &first.method, &first.instance].map(String::as_str);
    let name: Vec<&str> = name.into_iter().filter(|part| !part.is_empty()).collect();
    Some(format!("{}: {found}", name.join(", ")))
}

/// A figure with its unit; empty if there is none.
fn figure(number: Option<u64>, unit: &str) -> String {
    number.map_or_else(String::new, |number| {
        format!("{} {unit}", crate::group_digits(number.into()))
    })
}
