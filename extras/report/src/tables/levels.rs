//! Nodes by depth and by bound, words by length.

use std::collections::{BTreeMap, BTreeSet};

use experiment::{LevelKind, Record};

use super::domains;
use crate::stats::{Group, compared};
use crate::table::{Entry, Table};

/// The values of methods at each level.
pub(crate) struct Levels<'g, 'a> {
    /// The number of instances that all of the methods finished.
    pub(crate) n: usize,
    /// Each method with its levels.
    pub(crate) of: Vec<(&'g Group<'a>, ByLevel)>,
}

/// For each level: the mean over those instances that have the level, and their number.
pub(crate) type ByLevel = BTreeMap<u64, (f64, usize)>;

/// The means at each level of one kind, over the instances that all methods finished and that have
/// levels of this kind. An instance that ends before a level, or begins after it, doesn't count
/// there.
pub(crate) fn mean_levels<'g, 'a>(
    groups: &'g [Group<'a>],
    domain: &str,
    kind: LevelKind,
) -> Option<Levels<'g, 'a>> {
    let has_levels = |record: &Record| record.measured.level_kind == Some(kind);
    let shown: Vec<&Group<'a>> = groups
        .iter()
        .filter(|group| group.domain == domain && group.whole().any(has_levels))
        .collect();
    if shown.is_empty() {
        return None;
    }
    let instances = compared(&shown);
    let of = |group: &&'g Group<'a>| {
        let mut sums = ByLevel::new();
        let (records, _) = group.over(&instances).unwrap_or_default();
        for (level, nodes) in records.iter().flat_map(|record| &record.measured.levels) {
            let sum = sums.entry(*level).or_default();
            *sum = (sum.0 + *nodes as f64, sum.1 + 1);
        }
        sums.values_mut().for_each(|(sum, n)| *sum /= *n as f64);
        (*group, sums)
    };
    Some(Levels {
        n: instances.len(),
        of: shown.iter().map(of).collect(),
    })
}

/// The words for levels in tables and plots.
pub(crate) fn level_words(kind: LevelKind) -> (&'static str, &'static str, &'static str) {
    match kind {
        LevelKind::Depth => ("depth", "generated nodes", "Nodes by depth"),
        LevelKind::Bound => ("bound", "generated nodes", "Nodes by bound"),
        LevelKind::Length => ("length", "redundant words", "Redundant words by length"),
    }
}

/// The caption of a plot or table of levels.
pub(crate) fn level_caption(kind: LevelKind, n: usize, limits: &str) -> String {
    let instances = match n {
        1 => "the one instance".to_owned(),
        n => format!("the {} instances", crate::group_digits(n as u128)),
    };
    match kind {
        LevelKind::Depth => format!(
            "Generated nodes at each depth of the tree of rule sequences, the root at depth 0: means over {instances} \
             that all methods finished; {limits}."
        ),
        LevelKind::Bound => format!(
            "Generated nodes in the iteration with each bound: means over those of {instances} that all methods finished \
             ({limits}) whose search has an iteration with the bound; n is their number. An instance that has ended \
             no longer counts, and its last iteration ends with the solution."
        ),
        LevelKind::Length => format!("Redundant words of each length; {limits}."),
    }
}

/// The name of a kind of levels, for programs.
fn kind_key(kind: LevelKind) -> &'static str {
    match kind {
        LevelKind::Depth => "depth",
        LevelKind::Bound => "bound",
        LevelKind::Length => "length",
    }
}

/// A table of levels for each domain, with a column for each method.
pub(crate) fn levels(groups: &[Group<'_>], limits: &str) -> Vec<Table> {
    let mut tables = Vec::new();
    for domain in domains(groups) {
        for kind in [LevelKind::Depth, LevelKind::Bound, LevelKind::Length] {
            if let Some(levels) = mean_levels(groups, domain, kind) {
                tables.extend(levels_of(domain, kind, &levels, limits));
            }
        }
    }
    tables
}

fn levels_of(
    domain: &str,
    kind: LevelKind,
    levels: &Levels<'_, '_>,
    limits: &str,
) -> Option<Table> {
    let all: BTreeSet<u64> = levels
        .of
        .iter()
        .flat_map(|(_, levels)| levels.keys().copied())
        .collect();
    if all.is_empty() {
        return None;
    }
    let number_at = |at: &u64| -> BTreeSet<usize> {
        let of_methods = levels.of.iter().filter_map(|(_, levels)| levels.get(at));
        of_methods.map(|(_, n)| *n).collect()
    };
    // One column with the number of instances, unless methods differ in it.
    let is_same = all.iter().all(|at| number_at(at).len() == 1);
    let (level, _, title) = level_words(kind);
    let title = format!("{domain}: {}", lower(title));
    let caption = level_caption(kind, levels.n, limits);
    let mut table = Table::new("levels", title.as_str(), caption.as_str()).right(level, level);
    if is_same {
        table = table.right("instances", "n");
    }
    for (group, _) in &levels.of {
        table = table.right("count", group.method);
        if !is_same {
            table = table.right("instances", "n");
        }
    }
    let mut long = Table::new("levels", title, caption)
        .left("domain", "domain")
        .left("kind", "kind")
        .right("level", "level")
        .left("method", "method")
        .right("instances", "n")
        .right("count", "count");
    for at in all {
        let mut row = vec![Entry::number(at as f64)];
        if is_same {
            row.extend(number_at(&at).first().map(|n| Entry::number(*n as f64)));
        }
        for (group, levels) in &levels.of {
            let found = levels.get(&at);
            let mean = Entry::maybe(found.map(|(mean, _)| *mean));
            let n = Entry::maybe(found.map(|(_, n)| *n as f64));
            row.push(mean.clone());
            if !is_same {
                row.push(n.clone());
            }
            if found.is_some() {
                long.rows.push(vec![
                    Entry::text(domain),
                    Entry::text(kind_key(kind)),
                    Entry::number(at as f64),
                    Entry::text(group.method),
                    n,
                    mean,
                ]);
            }
        }
        table.rows.push(row);
    }
    table.long = Some(Box::new(long));
    Some(table)
}

pub(crate) fn lower(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| {
        first.to_lowercase().chain(chars).collect()
    })
}
