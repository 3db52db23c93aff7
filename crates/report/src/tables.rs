//! Which tables there are.

use std::collections::{BTreeMap, BTreeSet};

use experiment::{LevelKind, Outcome, Published, PublishedMeasure, Record, Spec};

use crate::stats::{Group, generated, is_whole, mean, seconds};
use crate::table::{Entry, Table};

/// What each method came to in each domain: the form of the papers' tables.
pub(crate) fn summary(spec: &Spec, groups: &[Group<'_>], limits: &str) -> Option<Table> {
    let groups: Vec<&Group<'_>> = groups.iter().filter(|group| !is_analysis(group)).collect();
    if groups.is_empty() {
        return None;
    }
    let caption = format!(
        "Means over the instances that came to an end; {limits}. Nodes are generated nodes, and time is processor \
         time of the searches where it is known, in seconds. The ratios say how many times as many nodes, and how many times \
         as much time, the first method of the command needs for those instances that both methods finished. A figure marked with > leaves \
         out instances that a limit stopped."
    );
    let mut table = Table::new("summary", "Nodes and time by method", caption)
        .left("domain", "domain")
        .left("method", "method")
        .right("instances", "instances")
        .right("solved", "solved")
        .right("stopped", "at a limit")
        .right("failed", "failed")
        .right("generated", "nodes")
        .right("generated_ratio", "ratio")
        .right("published", "published")
        .right("states", "states kept")
        .right("seconds", "time (s)")
        .right("seconds_ratio", "ratio")
        .right("generated_per_second", "nodes/s")
        .right("cost", "cost")
        .right("length", "moves")
        .right("preparation_seconds", "preparation (s)");
    for group in &groups {
        let base = groups.iter().find(|other| {
            other.is_first && other.domain == group.domain && other.command == group.command
        });
        let base = base.filter(|base| base.method != group.method);
        let ratio = |value: fn(&Record) -> Option<f64>| {
            Entry::maybe(base.and_then(|base| group.ratio_to(base, value)))
        };
        let limited = group.n_limited() > 0;
        let is_search = group.records.iter().any(|record| {
            !matches!(record.measured.outcome, Outcome::Complete | Outcome::Failed)
                && record.measured.level_kind != Some(LevelKind::Depth)
        });
        let count = |n: usize| Entry::number(n as f64);
        let blank_if_zero = |n: usize| if n == 0 { Entry::default() } else { count(n) };
        // Where a limit stopped them all, what they did until then is a lower bound.
        let shown: Vec<&Record> = if group.whole().next().is_some() {
            group.whole().collect()
        } else {
            group.records.clone()
        };
        let shown = || shown.iter().copied();
        let nodes: f64 = group.whole().filter_map(generated).sum();
        let time: f64 = group.whole().filter_map(seconds).sum();
        let published = published(spec, group, None, PublishedMeasure::Generated);
        table.rows.push(vec![
            Entry::text(group.domain),
            Entry::text(group.method),
            count(group.records.len()),
            if is_search {
                count(group.n(Outcome::Solved))
            } else {
                Entry::default()
            },
            blank_if_zero(group.n_limited()),
            blank_if_zero(group.n(Outcome::Failed)),
            Entry::maybe(mean(shown(), generated)).limited(limited),
            ratio(generated),
            published,
            Entry::maybe(mean(group.whole(), |r| r.measured.states.map(|n| n as f64)))
                .limited(limited),
            Entry::seconds(mean(shown(), seconds)).limited(limited),
            ratio(seconds),
            Entry::maybe((time > 0.0).then(|| (nodes / time).round())),
            Entry::maybe(mean(group.whole(), |r| r.measured.cost.map(|n| n as f64))),
            Entry::maybe(mean(group.whole(), |r| r.measured.length.map(|n| n as f64))),
            Entry::seconds(
                group
                    .records
                    .first()
                    .map(|r| r.measured.preparation_seconds)
                    .filter(|time| *time > 0.0),
            ),
        ]);
    }
    Some(table.without_empty_columns())
}

/// A published figure, if there is one for a group.
fn published(
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
    match spec.published.iter().find(is_it) {
        None => Entry::default(),
        Some(Published {
            value: Some(value),
            note,
            ..
        }) => {
            let mut entry = Entry::number(*value);
            if !note.is_empty() {
                entry.text = format!("{} {note}", entry.text);
            }
            entry
        }
        Some(Published { note, .. }) => Entry::text(note),
    }
}

/// Whether a group is about analyses, which have a table of their own.
fn is_analysis(group: &Group<'_>) -> bool {
    group
        .records
        .iter()
        .any(|record| record.measured.words.is_some())
}

/// What analyses found.
pub(crate) fn analyses(spec: &Spec, groups: &[Group<'_>]) -> Option<Table> {
    let caption = "Redundant words found, states of their machines, and the asymptotic branching factor. The interior \
                   nodes of the trie of words are the states that Taylor counts. Time in seconds.";
    let mut table = Table::new("analyses", "Redundant words and their machines", caption)
        .left("domain", "domain")
        .left("method", "method")
        .right("words", "redundant words")
        .right("words_published", "published")
        .right("trie_states", "states")
        .right("trie_states_published", "published")
        .right("minimized_states", "minimized")
        .right("branching_factor", "branching factor")
        .right("seconds", "time (s)")
        .left("outcome", "remark");
    for group in groups.iter().filter(|group| is_analysis(group)) {
        for record in &group.records {
            let measured = &record.measured;
            let limited = measured.outcome.is_limit();
            let number = |n: Option<u64>| Entry::maybe(n.map(|n| n as f64)).limited(limited);
            table.rows.push(vec![
                Entry::text(group.domain),
                Entry::text(group.method),
                number(measured.words),
                published(spec, group, None, PublishedMeasure::Words),
                number(measured.trie_states),
                published(spec, group, None, PublishedMeasure::TrieStates),
                number(measured.minimized_states),
                measured
                    .branching_factor
                    .map_or_else(Entry::default, |factor| Entry {
                        text: format!("{factor:.6}"),
                        number: Some(factor),
                        is_limited: false,
                    }),
                Entry::seconds(Some(measured.seconds)),
                Entry::text(if is_whole(record) {
                    ""
                } else {
                    measured.outcome.in_words()
                }),
            ]);
        }
    }
    (!table.rows.is_empty()).then(|| table.without_empty_columns())
}

/// What the instances differ by when they are the ends of walks.
pub(crate) fn by_steps(spec: &Spec, groups: &[Group<'_>], limits: &str) -> Vec<Table> {
    let mut tables = Vec::new();
    for domain in domains(groups) {
        let groups: Vec<&Group<'_>> = groups
            .iter()
            .filter(|group| group.domain == domain)
            .collect();
        let steps = steps_of(&groups);
        if steps.len() < 2 {
            continue;
        }
        let caption = format!(
            "Means over the trials for each length of the random walks to the start states; {limits}. States are \
             generated nodes, or the states that were kept, for searches that keep them. Moves are those of the \
             solutions found; in parentheses, the trials without a solution, which the mean number of moves leaves out."
        );
        let mut table = Table::new(
            "steps",
            format!("{domain}: by the length of the walk"),
            caption,
        )
        .right("steps", "steps")
        .right("trials", "trials");
        for group in &groups {
            table = table
                .right(
                    format!("{}_states", group.method),
                    format!("{}: states", group.method),
                )
                .right(format!("{}_published", group.method), "published")
                .right(
                    format!("{}_length", group.method),
                    format!("{}: moves", group.method),
                )
                .right(format!("{}_length_published", group.method), "published")
                .right(format!("{}_failed", group.method), "unsolved");
        }
        for steps in steps {
            let mut row = vec![Entry::number(steps as f64), Entry::default()];
            for group in &groups {
                let records: Vec<&Record> = group
                    .records
                    .iter()
                    .copied()
                    .filter(|r| r.steps == Some(steps))
                    .collect();
                row[1] = Entry::number(records.len() as f64);
                let limited = records.iter().any(|r| r.measured.outcome.is_limit());
                let whole = || records.iter().copied().filter(|r| is_whole(r));
                let failed = records
                    .iter()
                    .filter(|r| r.measured.outcome != Outcome::Solved)
                    .count();
                let mut length =
                    Entry::maybe(mean(whole(), |r| r.measured.length.map(|n| n as f64)));
                if failed > 0 {
                    length.text = format!("{} ({failed})", length.text);
                }
                let states =
                    |r: &Record| r.measured.states.or(r.measured.generated).map(|n| n as f64);
                row.extend([
                    Entry::maybe(mean(whole(), states)).limited(limited),
                    published(spec, group, Some(steps), PublishedMeasure::States),
                    length,
                    published(spec, group, Some(steps), PublishedMeasure::Length),
                    Entry {
                        text: String::new(),
                        number: Some(failed as f64),
                        is_limited: false,
                    },
                ]);
            }
            table.rows.push(row);
        }
        tables.push(table.without_empty_columns());
    }
    tables
}

/// The lengths of walks.
pub(crate) fn steps_of(groups: &[&Group<'_>]) -> BTreeSet<u64> {
    let records = groups.iter().flat_map(|group| &group.records);
    records.filter_map(|record| record.steps).collect()
}

/// The domains, in order.
pub(crate) fn domains<'a>(groups: &[Group<'a>]) -> Vec<&'a str> {
    let mut names: Vec<&str> = Vec::new();
    for group in groups {
        if !names.contains(&group.domain) {
            names.push(group.domain);
        }
    }
    names
}

/// What stands at each level in the mean over the instances that came to an end.
pub(crate) fn mean_levels(group: &Group<'_>, kind: LevelKind) -> BTreeMap<u64, f64> {
    let mut sums: BTreeMap<u64, f64> = BTreeMap::new();
    let mut n_records = 0.0;
    for record in group
        .whole()
        .filter(|record| record.measured.level_kind == Some(kind))
    {
        n_records += 1.0;
        for (level, nodes) in &record.measured.levels {
            *sums.entry(*level).or_default() += *nodes as f64;
        }
    }
    sums.values_mut().for_each(|sum| *sum /= n_records);
    sums
}

/// How levels are called in tables and plots.
pub(crate) fn level_words(kind: LevelKind) -> (&'static str, &'static str, &'static str) {
    match kind {
        LevelKind::Depth => ("depth", "generated nodes", "Nodes by depth"),
        LevelKind::Bound => ("bound", "generated nodes", "Nodes by bound"),
        LevelKind::Length => ("length", "redundant words", "Redundant words by length"),
    }
}

/// What a plot or table of levels says below its title.
pub(crate) fn level_caption(kind: LevelKind, limits: &str) -> String {
    let what = match kind {
        LevelKind::Depth => {
            "Generated nodes at each depth of the tree of rule sequences, the root at depth 0"
        }
        LevelKind::Bound => "Generated nodes in the iteration with each bound",
        LevelKind::Length => "Redundant words of each length",
    };
    match kind {
        LevelKind::Length => format!("{what}; {limits}."),
        _ => format!("{what}: means over the instances that came to an end; {limits}."),
    }
}

/// What stands at each level, for each domain: a column for each method.
pub(crate) fn levels(groups: &[Group<'_>], limits: &str) -> Vec<Table> {
    let mut tables = Vec::new();
    for domain in domains(groups) {
        for kind in [LevelKind::Depth, LevelKind::Bound, LevelKind::Length] {
            let columns: Vec<(&Group<'_>, BTreeMap<u64, f64>)> = groups
                .iter()
                .filter(|group| group.domain == domain)
                .map(|group| (group, mean_levels(group, kind)))
                .filter(|(_, levels)| !levels.is_empty())
                .collect();
            let all: BTreeSet<u64> = columns
                .iter()
                .flat_map(|(_, levels)| levels.keys().copied())
                .collect();
            if all.is_empty() {
                continue;
            }
            let (level, _, title) = level_words(kind);
            let mut table = Table::new(
                "levels",
                format!("{domain}: {}", lower(title)),
                level_caption(kind, limits),
            )
            .right(level, level);
            for (group, _) in &columns {
                table = table.right(group.method, group.method);
            }
            for at in all {
                let entries = columns
                    .iter()
                    .map(|(_, levels)| Entry::maybe(levels.get(&at).copied()));
                table.rows.push(
                    std::iter::once(Entry::number(at as f64))
                        .chain(entries)
                        .collect(),
                );
            }
            tables.push(table);
        }
    }
    tables
}

pub(crate) fn lower(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| {
        first.to_lowercase().chain(chars).collect()
    })
}

/// How many instances have a solution of each cost.
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
        let caption = "How many instances each method solved at each cost.";
        let mut table = Table::new("costs", format!("{domain}: costs of solutions"), caption)
            .right("cost", "cost");
        for (group, _) in &columns {
            table = table.right(group.method, group.method);
        }
        for cost in all {
            let entries = columns
                .iter()
                .map(|(_, costs)| Entry::number(costs.get(&cost).copied().unwrap_or(0) as f64));
            table.rows.push(
                std::iter::once(Entry::number(cost as f64))
                    .chain(entries)
                    .collect(),
            );
        }
        tables.push(table);
    }
    tables
}

/// How many instances a method solved at each cost.
pub(crate) fn costs_of(group: &Group<'_>) -> BTreeMap<u64, usize> {
    let mut costs = BTreeMap::new();
    for record in &group.records {
        if let (Outcome::Solved, Some(cost)) = (record.measured.outcome, record.measured.cost) {
            *costs.entry(cost).or_default() += 1;
        }
    }
    costs
}

/// Each cell by itself, with the columns that courses ask for first.
pub(crate) fn cells(groups: &[Group<'_>], limits: &str) -> Table {
    let caption = format!(
        "One row for each cell; {limits}. h0 is the estimate of the start state, time is processor time in seconds where it \
         is known. na: not solved, or not asked for."
    );
    let mut table = Table::new("cells", "Cells", caption)
        .left("algorithm", "algorithm")
        .left("heuristic", "heuristic")
        .left("domain", "domain")
        .left("instance", "instance")
        .right("cost", "cost")
        .right("h0", "h0")
        .right("generated", "generated")
        .right("time", "time (s)")
        .right("gen_per_sec", "gen/s")
        .left("method", "method")
        .left("outcome", "outcome")
        .right("length", "moves")
        .right("known_cost", "known cost")
        .right("expanded", "expanded")
        .right("pruned", "pruned")
        .right("states", "states kept")
        .right("words", "words")
        .right("seconds", "clock (s)");
    for group in groups {
        for record in &group.records {
            let measured = &record.measured;
            let option = |name: &str, default: &str| {
                let value = record.options.get(name).cloned().flatten();
                Entry::text(value.unwrap_or_else(|| default.to_owned()))
            };
            let number = |n: Option<u64>| Entry::maybe(n.map(|n| n as f64));
            let limited = measured.outcome.is_limit();
            let speed = measured
                .generated
                .filter(|_| measured.best_seconds() > 0.0)
                .map(|n| (n as f64 / measured.best_seconds()).round());
            let is_solve =
                measured.words.is_none() && measured.level_kind != Some(LevelKind::Depth);
            let mut outcome = Entry::text(measured.outcome.in_words());
            if let Some(message) = &measured.message {
                outcome.text = format!("{}: {message}", outcome.text);
            }
            table.rows.push(vec![
                option("algorithm", if is_solve { "ida" } else { "na" }),
                option("heuristic", if is_solve { "zero" } else { "na" }),
                Entry::text(group.domain),
                Entry::text(record.instance.as_str()),
                Entry::or_na(measured.cost.map(|n| n as f64)),
                Entry::or_na(measured.h0.map(|n| n as f64)),
                Entry::or_na(measured.generated.map(|n| n as f64)).limited(limited),
                Entry::seconds(Some(measured.best_seconds())).limited(limited),
                Entry::or_na(speed),
                Entry::text(group.method),
                outcome,
                number(measured.length),
                number(measured.known_cost),
                number(measured.expanded),
                number(measured.pruned),
                number(measured.states),
                number(measured.words),
                Entry::seconds(Some(measured.seconds)),
            ]);
        }
    }
    table
}
