//! Compares published figures with measured ones, each with its source.

use experiment::{Published, PublishedMeasure, Record, Spec};

use crate::stats::{Group, generated, is_whole, mean};
use crate::table::{Entry, Table};

/// The figures that have a source, in the order of the experiment.
pub(crate) fn table(spec: &Spec, groups: &[Group<'_>], limits: &str) -> Option<Table> {
    let caption = format!(
        "Each published figure with its source, and what was obtained here: the mean over the n instances that the \
         method finished; {limits}. The ratio is the obtained figure divided by the published one."
    );
    let mut table = Table::new("published", "Beside what was published", caption)
        .left("domain", "domain")
        .left("method", "method")
        .left("measure", "measure")
        .left("source", "source")
        .right("published", "published")
        .right("instances", "n")
        .right("obtained", "obtained")
        .right("ratio", "ratio");
    for figure in &spec.published {
        let is_its =
            |group: &&Group<'_>| group.domain == figure.domain && group.method == figure.method;
        let Some(group) = groups.iter().find(is_its) else {
            continue;
        };
        if figure.source.is_empty() {
            continue;
        }
        let is_at = |record: &&&Record| figure.steps.is_none_or(|at| record.steps == Some(at));
        let records = group.records.iter().filter(is_at).copied();
        let values: Vec<&Record> = records
            .filter(|record| is_whole(record) && measured(record, figure.measure).is_some())
            .collect();
        let obtained = mean(values.iter().copied(), |record| {
            measured(record, figure.measure)
        });
        let ratio = obtained
            .zip(figure.value)
            .map(|(obtained, published)| Entry {
                text: format!("{:.3}", obtained / published),
                ..Entry::number(obtained / published)
            });
        table.rows.push(vec![
            Entry::text(group.domain),
            Entry::text(group.method),
            Entry::text(name(figure.measure)),
            Entry::text(figure.source.as_str()),
            entry(figure),
            Entry::number(values.len() as f64),
            Entry::maybe(obtained),
            ratio.unwrap_or_default(),
        ]);
    }
    (!table.rows.is_empty()).then_some(table)
}

/// The first published figure for a group, if there is one.
pub(super) fn published_of(
    spec: &Spec,
    group: &Group<'_>,
    steps: Option<u64>,
    measure: PublishedMeasure,
) -> Entry {
    let is_it = |figure: &&Published| {
        figure.domain == group.domain
            && figure.method == group.method
            && figure.measure == measure
            && figure.steps == steps
    };
    let found = spec.published.iter().find(is_it);
    found.map_or_else(Entry::default, entry)
}

/// A published figure with its remark.
fn entry(figure: &Published) -> Entry {
    let Some(value) = figure.value else {
        return Entry::text(figure.note.as_str());
    };
    let mut entry = Entry::number(value);
    if !figure.note.is_empty() {
        entry.text = format!("{} {}", entry.text, figure.note);
    }
    entry
}

/// A record's value of a measure.
fn measured(record: &Record, measure: PublishedMeasure) -> Option<f64> {
    let of = &record.measured;
    let number = |n: Option<u64>| n.map(|n| n as f64);
    match measure {
        PublishedMeasure::Generated => generated(record),
        PublishedMeasure::States => number(of.states),
        PublishedMeasure::Length => number(of.length),
        PublishedMeasure::Failed => None,
        PublishedMeasure::Words => number(of.words),
        PublishedMeasure::TrieStates => number(of.trie_states),
        PublishedMeasure::BranchingFactor => of.branching_factor,
    }
}

fn name(measure: PublishedMeasure) -> &'static str {
    match measure {
        PublishedMeasure::Generated => "nodes",
        PublishedMeasure::States => "states",
        PublishedMeasure::Length => "moves",
        PublishedMeasure::Failed => "unsolved",
        PublishedMeasure::Words => "redundant words",
        PublishedMeasure::TrieStates => "machine states",
        PublishedMeasure::BranchingFactor => "branching factor",
    }
}
