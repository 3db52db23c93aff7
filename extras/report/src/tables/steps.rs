//! Means by the length of the random walks to the start states.

use std::collections::BTreeSet;

use experiment::{Outcome, PublishedMeasure, Record, Spec};

use super::comparable;
use super::published::published_of;
use crate::stats::{Group, compared, generated, is_whole, mean};
use crate::table::{Entry, Table};

/// Means by number of steps, if instances are the ends of walks.
pub(crate) fn by_steps(spec: &Spec, groups: &[Group<'_>], limits: &str) -> Vec<Table> {
    let mut tables = Vec::new();
    for (domain, groups) in comparable(groups) {
        let steps = steps_of(&groups);
        if steps.len() < 2 {
            continue;
        }
        let caption = format!(
            "Means for each length of the random walks to the start states, over the n trials that all methods \
             finished; {limits}. Nodes are generated ones; for searches that keep states, the states kept are shown. Of a \
             method that finished no trial there is a lower bound, marked with >. Moves are those of the solutions found; \
             in parentheses, the trials among the n without a solution, which the mean number of moves leaves out."
        );
        let title = format!("{domain}: by the length of the walk");
        let mut table = Table::new("steps", title.as_str(), caption.as_str())
            .right("steps", "steps")
            .right("trials", "trials")
            .right("compared", "n");
        for group in &groups {
            let title = |what: &str| format!("{}: {what}", group.method);
            let keeps = group.records.iter().any(|record| kept(record).is_some());
            let needs = if keeps { "states kept" } else { "nodes" };
            table = table
                .right("needs", title(needs))
                .right("states_published", "published")
                .right("length", title("moves"))
                .right("length_published", "published");
        }
        let mut long = Table::new("steps", title, caption)
            .left("domain", "domain")
            .right("steps", "steps")
            .left("method", "method")
            .right("trials", "trials")
            .right("instances", "n")
            .bounds("generated", "nodes")
            .bounds("states", "states kept")
            .right("states_published", "published")
            .right("length", "moves")
            .right("length_published", "published")
            .right("unsolved", "unsolved");
        for steps in steps {
            let here: Vec<Group<'_>> = groups.iter().map(|group| group.at_steps(steps)).collect();
            let instances = compared(&here.iter().collect::<Vec<_>>());
            let trials: BTreeSet<&str> = here
                .iter()
                .flat_map(|group| &group.records)
                .map(|record| record.instance.as_str())
                .collect();
            let trials = Entry::number(trials.len() as f64);
            let n = Entry::number(instances.len() as f64);
            let mut row = vec![Entry::number(steps as f64), trials.clone(), n.clone()];
            for group in &here {
                let (records, bound) = group.over(&instances).unwrap_or_default();
                let whole = || records.iter().copied().filter(|r| is_whole(r));
                let unsolved = whole()
                    .filter(|r| r.measured.outcome != Outcome::Solved)
                    .count();
                let length = Entry::maybe(mean(whole(), |r| r.measured.length.map(|n| n as f64)));
                let mut shown = length.clone();
                if unsolved > 0 {
                    shown.text = format!("{} ({unsolved})", length.text);
                }
                let of = |value: fn(&Record) -> Option<f64>| {
                    Entry::maybe(mean(records.iter().copied(), value)).bounded(bound)
                };
                let needs = of(kept_or_generated);
                let of_states = published_of(spec, group, Some(steps), PublishedMeasure::States);
                let of_length = published_of(spec, group, Some(steps), PublishedMeasure::Length);
                row.extend([needs, of_states.clone(), shown, of_length.clone()]);
                long.rows.push(vec![
                    Entry::text(domain),
                    Entry::number(steps as f64),
                    Entry::text(group.method),
                    trials.clone(),
                    Entry::number(records.len() as f64),
                    of(generated),
                    of(kept),
                    of_states,
                    length,
                    of_length,
                    Entry::number(unsolved as f64),
                ]);
            }
            table.rows.push(row);
        }
        table.long = Some(Box::new(long));
        tables.push(table);
    }
    tables
}

/// States that were kept.
pub(crate) fn kept(record: &Record) -> Option<f64> {
    record.measured.states.map(|n| n as f64)
}

/// States that were kept, or else generated nodes.
pub(crate) fn kept_or_generated(record: &Record) -> Option<f64> {
    kept(record).or_else(|| generated(record))
}

/// The lengths of walks.
pub(crate) fn steps_of(groups: &[&Group<'_>]) -> BTreeSet<u64> {
    let records = groups.iter().flat_map(|group| &group.records);
    records.filter_map(|record| record.steps).collect()
}
