//! Costs of solutions.

use std::collections::{BTreeMap, BTreeSet};

use experiment::Outcome;

use super::domains;
use crate::stats::Group;
use crate::table::{Entry, Table};

/// The captions of histograms of costs.
pub(crate) const COSTS: &str = "How many instances each method solved at each cost: all that it solved, whether or not \
     the other methods solved them.";

/// The number of instances with a solution of each cost.
pub(crate) fn costs(groups: &[Group<'_>]) -> Vec<Table> {
    let mut tables = Vec::new();
    for domain in domains(groups) {
        let columns: Vec<(&Group<'_>, BTreeMap<u64, usize>)> = groups
            .iter()
            .filter(|group| group.domain == domain)
            .map(|group| (group, costs_of(group)))
            .filter(|(_, costs)| !costs.is_empty())
            .collect();
        let all: BTreeSet<u64> = columns
            .iter()
            .flat_map(|(_, costs)| costs.keys().copied())
            .collect();
        if all.is_empty() {
            continue;
        }
        let title = format!("{domain}: costs of solutions");
        let mut table = Table::new("costs", title.as_str(), COSTS).right("cost", "cost");
        for (group, _) in &columns {
            table = table.right("instances", group.method);
        }
        let mut long = Table::new("costs", title, COSTS)
            .left("domain", "domain")
            .right("cost", "cost")
            .left("method", "method")
            .right("instances", "instances");
        for cost in all {
            let mut row = vec![Entry::number(cost as f64)];
            for (group, costs) in &columns {
                let n = Entry::number(costs.get(&cost).copied().unwrap_or(0) as f64);
                row.push(n.clone());
                long.rows.push(vec![
                    Entry::text(domain),
                    Entry::number(cost as f64),
                    Entry::text(group.method),
                    n,
                ]);
            }
            table.rows.push(row);
        }
        table.long = Some(Box::new(long));
        tables.push(table);
    }
    tables
}

/// The number of instances that a method solved at each cost.
pub(crate) fn costs_of(group: &Group<'_>) -> BTreeMap<u64, usize> {
    let mut costs = BTreeMap::new();
    for record in &group.records {
        if let (Outcome::Solved, Some(cost)) = (record.measured.outcome, record.measured.cost) {
            *costs.entry(cost).or_default() += 1;
        }
    }
    costs
}
