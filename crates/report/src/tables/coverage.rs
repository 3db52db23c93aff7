//! The number of instances that each method finished.

use experiment::{LevelKind, Outcome};

use super::{comparable, is_analysis};
use crate::stats::Group;
use crate::table::{Entry, Table};

/// Whether a group searches for solutions; trees are only counted.
pub(crate) fn is_search(group: &Group<'_>) -> bool {
    group.records.iter().any(|record| {
        !matches!(record.measured.outcome, Outcome::Complete | Outcome::Failed)
            && record.measured.level_kind != Some(LevelKind::Depth)
    })
}

/// The instances that each method finished, a row for each domain and a column for each method: if
/// some were not finished, or there are several methods and several instances to finish.
pub(crate) fn coverage(groups: &[Group<'_>], limits: &str) -> Option<Table> {
    let shown: Vec<&Group<'_>> = groups
        .iter()
        .filter(|group| !is_analysis(group) && is_search(group))
        .collect();
    let mut methods: Vec<&str> = Vec::new();
    for group in &shown {
        if !methods.contains(&group.method) {
            methods.push(group.method);
        }
    }
    let is_news = shown
        .iter()
        .any(|group| finished(group) < group.records.len());
    if methods.is_empty() || !is_news {
        return None;
    }
    let caption = format!(
        "Instances that each method finished, with a solution or with the proof that there is none; {limits}."
    );
    let mut table =
        Table::new("coverage", "Finished instances", caption.as_str()).left("domain", "domain");
    table = table.right("instances", "instances");
    for method in &methods {
        table = table.right("finished", *method);
    }
    let mut long = Table::new("coverage", "Finished instances", caption)
        .left("domain", "domain")
        .left("method", "method")
        .right("instances", "instances")
        .right("finished", "finished");
    for domain in super::domains(groups) {
        let here: Vec<&&Group<'_>> = shown
            .iter()
            .filter(|group| group.domain == domain)
            .collect();
        let Some(most) = here.iter().map(|group| group.records.len()).max() else {
            continue;
        };
        let mut row = vec![Entry::text(domain), Entry::number(most as f64)];
        for method in &methods {
            let group = here.iter().find(|group| group.method == *method);
            row.push(group.map_or_else(Entry::default, |group| {
                Entry::number(finished(group) as f64)
            }));
        }
        table.rows.push(row);
        for group in here {
            long.rows.push(vec![
                Entry::text(domain),
                Entry::text(group.method),
                Entry::number(group.records.len() as f64),
                Entry::number(finished(group) as f64),
            ]);
        }
    }
    table.long = Some(Box::new(long));
    Some(table)
}

/// The number of instances that a group finished.
pub(crate) fn finished(group: &Group<'_>) -> usize {
    group.whole().count()
}

/// The groups that search, in the form of [`comparable`].
pub(crate) fn searches<'g, 'a>(groups: &'g [Group<'a>]) -> Vec<(&'a str, Vec<&'g Group<'a>>)> {
    let mut found = comparable(groups);
    for (_, groups) in &mut found {
        groups.retain(|group| is_search(group));
    }
    found.retain(|(_, groups)| !groups.is_empty());
    found
}
