//! The summary of each method in each domain.

use experiment::{Outcome, PublishedMeasure, Spec};

use super::published::published_of;
use super::{NODES, Totals, is_analysis, is_search};
use crate::stats::{Group, compared, generated, is_whole, mean, seconds};
use crate::table::{Bound, Entry, Mark, Table};

/// The table's caption and columns.
fn without_rows(limits: &str) -> Table {
    let caption = format!(
        "Means over the n instances that all methods of the command finished in the domain; {limits}. Of a method that \
         finished none, the row has lower bounds over the same instances, marked with >. Times are those of \
         the searches by the clock; preparation (analyses, tables) is done once for all instances. \
         Ratios are the nodes of the first method of the command divided by those of this one, and its time \
         with preparation for the n instances together divided by that of this one; > and < mark bounds, ▲ what is better than the first method, \
         ▼ what is worse, ≈ what differs by less than 5%. Times of less than 10 ms are too short to compare: they have no \
         ratio. {NODES}"
    );
    Table::new("summary", "Nodes and time by method", caption)
        .left("domain", "domain")
        .essential()
        .left("method", "method")
        .essential()
        .right("instances", "instances")
        .right("solved", "solved")
        .essential()
        .right("stopped", "at a limit")
        .right("failed", "failed")
        .right("compared", "n")
        .essential()
        .bounds("generated", "nodes")
        .essential()
        .bounds("generated_ratio", "ratio of nodes")
        .essential()
        .right("published", "published")
        .essential()
        .right("states", "states kept")
        .essential()
        .bounds("seconds", "time")
        .essential()
        .right("preparation_seconds", "preparation")
        .bounds("seconds_ratio", "ratio of times")
        .essential()
        .right("generated_per_second", "nodes/s")
        .right("cost", "cost")
        .right("length", "moves")
        .essential()
}

/// A row for each method in each domain: the form of the papers' tables.
pub(crate) fn summary(spec: &Spec, groups: &[Group<'_>], limits: &str) -> Option<Table> {
    let groups: Vec<&Group<'_>> = groups.iter().filter(|group| !is_analysis(group)).collect();
    if groups.is_empty() {
        return None;
    }
    let mut table = without_rows(limits);
    for group in &groups {
        let others: Vec<&Group<'_>> = groups
            .iter()
            .copied()
            .filter(|other| (other.domain, other.command) == (group.domain, group.command))
            .collect();
        let instances = compared(&others);
        let mine = Totals::of(group, &instances);
        let base = others.iter().find(|other| other.is_first);
        let base = base.filter(|base| base.method != group.method);
        let base = base.map(|base| Totals::of(base, &instances));
        let ratio_of = |value: fn(&Totals) -> Option<f64>| -> Entry {
            let ratio = base.as_ref().and_then(|base| base.ratio(&mine, value));
            ratio.map_or_else(Entry::default, |(ratio, bound)| {
                // A bound says nothing about which is better.
                let mark = match bound {
                    Bound::Exact => Mark::of_ratio(ratio),
                    Bound::Lower | Bound::Upper => Mark::None,
                };
                Entry::number(ratio).bounded(bound).marked(mark)
            })
        };
        let is_too_short = base
            .as_ref()
            .is_some_and(|base| base.is_too_short_for(&mine));
        let ratio_of_times = match (ratio_of(|totals| totals.seconds), is_too_short) {
            (_, true) => Entry::default(),
            (ratio, false) => ratio,
        };
        let count = |n: usize| Entry::number(n as f64);
        let blank_if_zero = |n: usize| if n == 0 { Entry::default() } else { count(n) };
        let records = || mine.records.iter().copied();
        let exact = || records().filter(|record| is_whole(record));
        let preparation = group.preparation();
        table.rows.push(vec![
            Entry::text(group.domain),
            Entry::text(group.method),
            count(group.records.len()),
            if is_search(group) {
                count(group.n(Outcome::Solved))
            } else {
                Entry::default()
            },
            blank_if_zero(group.n_limited()),
            blank_if_zero(group.n(Outcome::Failed)),
            count(mine.records.len()),
            Entry::maybe(mean(records(), generated)).bounded(mine.bound),
            ratio_of(|totals| totals.generated),
            published_of(spec, group, None, PublishedMeasure::Generated),
            Entry::maybe(mean(exact(), |r| r.measured.states.map(|n| n as f64))),
            Entry::time(mean(records(), seconds)).bounded(mine.bound),
            Entry::time((preparation > 0.0).then_some(preparation)),
            ratio_of_times,
            Entry::maybe(mine.speed()),
            Entry::maybe(mean(exact(), |r| r.measured.cost.map(|n| n as f64))),
            Entry::maybe(mean(exact(), |r| r.measured.length.map(|n| n as f64))),
        ]);
    }
    Some(table)
}
