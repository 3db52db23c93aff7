//! What each method searched by: its heuristic, and what it left out.

use std::collections::BTreeMap;

use super::is_analysis;
use crate::stats::Group;
use crate::table::{Entry, Table};

/// The number of different values that are listed.
const MOST_VALUES: usize = 2;

/// A row for each method in each domain, if the results say it.
pub(crate) fn methods(groups: &[Group<'_>]) -> Option<Table> {
    let caption = "The heuristic that each method used, also where it was chosen, and what it left out. Numbers in \
                   parentheses are those of the instances, where they differ.";
    let mut table = Table::new("methods", "Heuristics and pruning", caption)
        .left("domain", "domain")
        .left("method", "method")
        .left("heuristic", "heuristic")
        .left("pruning", "pruned");
    for group in groups.iter().filter(|group| !is_analysis(group)) {
        let measured = || group.records.iter().map(|record| &record.measured);
        let heuristic = values(measured().filter_map(|it| it.heuristic.clone()));
        let pruning = measured().filter_map(|it| it.pruning.as_ref());
        let pruning = values(pruning.map(ToString::to_string));
        if !heuristic.is_empty() || !pruning.is_empty() {
            table.rows.push(vec![
                Entry::text(group.domain),
                Entry::text(group.method),
                Entry::text(heuristic),
                Entry::text(pruning),
            ]);
        }
    }
    (!table.rows.is_empty()).then_some(table)
}

/// Different values, the most frequent first, each with its number.
fn values(all: impl Iterator<Item = String>) -> String {
    let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
    all.for_each(|value| *numbers.entry(value).or_default() += 1);
    let mut values: Vec<(String, usize)> = numbers.into_iter().collect();
    values.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    if let [(value, _)] = values.as_slice() {
        return value.clone();
    }
    let more = values.len().saturating_sub(MOST_VALUES);
    let shown = values.iter().take(MOST_VALUES);
    let mut shown: Vec<String> = shown.map(|(value, n)| format!("{value} ({n})")).collect();
    if more > 0 {
        shown.push(format!("{more} others"));
    }
    shown.join("; ")
}
