//! Which tables there are.

mod coverage;
pub(crate) mod laws;
pub(crate) mod published;
mod totals;

use std::collections::{BTreeMap, BTreeSet};

use experiment::{LevelKind, Outcome, Published, PublishedMeasure, Record, Spec};

use crate::stats::{Group, compared, generated, is_whole, mean, seconds};
use crate::table::{Bound, Entry, Table};

pub(crate) use coverage::{coverage, finished, is_search, searches};
pub(crate) use totals::Totals;

/// What generated nodes are, for captions.
const NODES: &str = "Generated nodes of depth-first searches and of trees include nodes that are counted without \
     being made one by one: leaves at the bound, and plies at which all rules apply. Nodes per second are \
     these counts divided by the time.";

/// What each method came to in each domain: the form of the papers' tables.
pub(crate) fn summary(spec: &Spec, groups: &[Group<'_>], limits: &str) -> Option<Table> {
    let groups: Vec<&Group<'_>> = groups.iter().filter(|group| !is_analysis(group)).collect();
    if groups.is_empty() {
        return None;
    }
    let caption = format!(
        "Means over the n instances that all methods of the command finished in the domain; {limits}. Of a method that \
         finished none, the row has lower bounds over the same instances, marked with >. Times are processor times \
         of the searches where these are known, in seconds; preparation (analyses, tables) is done once for all \
         instances. Ratios say how many times as many nodes, or as much time with preparation for the n instances \
         together, the first method of the command needs; > and < mark bounds. {NODES}"
    );
    let mut table = Table::new("summary", "Nodes and time by method", caption)
        .left("domain", "domain")
        .left("method", "method")
        .right("instances", "instances")
        .right("solved", "solved")
        .right("stopped", "at a limit")
        .right("failed", "failed")
        .right("compared", "n")
        .bounds("generated", "nodes")
        .bounds("generated_ratio", "ratio of nodes")
        .right("published", "published")
        .right("states", "states kept")
        .bounds("seconds", "time (s)")
        .right("preparation_seconds", "preparation (s)")
        .bounds("seconds_ratio", "ratio of times")
        .right("generated_per_second", "nodes/s")
        .right("cost", "cost")
        .right("length", "moves");
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
                Entry::number(ratio).bounded(bound)
            })
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
            Entry::seconds(mean(records(), seconds)).bounded(mine.bound),
            Entry::seconds((preparation > 0.0).then_some(preparation)),
            ratio_of(|totals| totals.seconds),
            Entry::maybe(mine.speed()),
            Entry::maybe(mean(exact(), |r| r.measured.cost.map(|n| n as f64))),
            Entry::maybe(mean(exact(), |r| r.measured.length.map(|n| n as f64))),
        ]);
    }
    Some(table)
}

/// The first published figure for a group, if there is one.
fn published_of(
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
    found.map_or_else(Entry::default, published::entry)
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
                   nodes of the trie of words are the states that Taylor counts. Sequences of operators have no branching \
                   factor here, since how many of them can be carried out isn't known. Time in seconds.";
    let mut table = Table::new("analyses", "Redundant words and their machines", caption)
        .left("domain", "domain")
        .left("method", "method")
        .bounds("words", "redundant words")
        .right("words_published", "published")
        .bounds("trie_states", "states")
        .right("trie_states_published", "published")
        .bounds("minimized_states", "minimized")
        .right("branching_factor", "branching factor")
        .right("branching_factor_published", "published")
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
                published_of(spec, group, None, PublishedMeasure::Words),
                number(measured.trie_states),
                published_of(spec, group, None, PublishedMeasure::TrieStates),
                number(measured.minimized_states),
                measured
                    .branching_factor
                    .map_or_else(Entry::default, |factor| Entry {
                        text: format!("{factor:.6}"),
                        number: Some(factor),
                        bound: Bound::Exact,
                    }),
                published_of(spec, group, None, PublishedMeasure::BranchingFactor),
                Entry::seconds(Some(measured.seconds)),
                Entry::text(if is_whole(record) {
                    ""
                } else {
                    measured.outcome.in_words()
                }),
            ]);
        }
    }
    (!table.rows.is_empty()).then_some(table)
}

/// What the instances differ by when they are the ends of walks.
pub(crate) fn by_steps(spec: &Spec, groups: &[Group<'_>], limits: &str) -> Vec<Table> {
    let mut tables = Vec::new();
    for (domain, groups) in comparable(groups) {
        let steps = steps_of(&groups);
        if steps.len() < 2 {
            continue;
        }
        let caption = format!(
            "Means for each length of the random walks to the start states, over the n trials that all methods \
             finished; {limits}. States are generated nodes, or the states that were kept, for searches that keep them; \
             of a method that finished no trial, a lower bound, marked with >. Moves are those of the solutions found; \
             in parentheses, the trials among the n without a solution, which the mean number of moves leaves out."
        );
        let title = format!("{domain}: by the length of the walk");
        let mut table = Table::new("steps", title.as_str(), caption.as_str())
            .right("steps", "steps")
            .right("trials", "trials")
            .right("compared", "n");
        for group in &groups {
            let title = |what: &str| format!("{}: {what}", group.method);
            table = table
                .right("states", title("states"))
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
            .bounds("states", "states")
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
                let states =
                    Entry::maybe(mean(records.iter().copied(), kept_or_generated)).bounded(bound);
                let of_states = published_of(spec, group, Some(steps), PublishedMeasure::States);
                let of_length = published_of(spec, group, Some(steps), PublishedMeasure::Length);
                row.extend([states.clone(), of_states.clone(), shown, of_length.clone()]);
                long.rows.push(vec![
                    Entry::text(domain),
                    Entry::number(steps as f64),
                    Entry::text(group.method),
                    trials.clone(),
                    Entry::number(records.len() as f64),
                    states,
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

/// States that were kept, or else generated nodes.
pub(crate) fn kept_or_generated(record: &Record) -> Option<f64> {
    let measured = &record.measured;
    measured.states.or(measured.generated).map(|n| n as f64)
}

/// The groups of each domain whose methods have the same command.
pub(crate) fn comparable<'g, 'a>(groups: &'g [Group<'a>]) -> Vec<(&'a str, Vec<&'g Group<'a>>)> {
    let mut found: Vec<(&str, Vec<&Group<'_>>)> = Vec::new();
    for group in groups {
        let same = found.iter_mut().find(|(domain, others)| {
            *domain == group.domain && others.iter().any(|other| other.command == group.command)
        });
        match same {
            Some((_, others)) => others.push(group),
            None => found.push((group.domain, vec![group])),
        }
    }
    found
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

/// What methods have at each level.
pub(crate) struct Levels<'g, 'a> {
    /// How many instances all of the methods finished.
    pub(crate) n: usize,
    /// Each method with its levels.
    pub(crate) of: Vec<(&'g Group<'a>, ByLevel)>,
}

/// For each level: the mean over those instances that have the level, and their number.
pub(crate) type ByLevel = BTreeMap<u64, (f64, usize)>;

/// What stands at each level of one kind, over the instances that all methods finished which have
/// such levels. An instance that has ended before a level, or begins behind it, doesn't count
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

/// How levels are called in tables and plots.
pub(crate) fn level_words(kind: LevelKind) -> (&'static str, &'static str, &'static str) {
    match kind {
        LevelKind::Depth => ("depth", "generated nodes", "Nodes by depth"),
        LevelKind::Bound => ("bound", "generated nodes", "Nodes by bound"),
        LevelKind::Length => ("length", "redundant words", "Redundant words by length"),
    }
}

/// What a plot or table of levels says below its title.
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

/// What stands at each level, for each domain: a column for each method.
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

/// What histograms of costs say below their titles.
pub(crate) const COSTS: &str = "How many instances each method solved at each cost: all that it solved, whether or not \
     the other methods solved them.";

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
         is known. Preparation is what was done once for all instances, in seconds; reused, the part of it that an \
         earlier method or run had done already. na: not solved, or not asked for. {NODES} Counted: whether this holds \
         for the cell."
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
        .right("seconds", "clock (s)")
        .right("preparation_seconds", "preparation (s)")
        .right("reused_seconds", "reused (s)")
        .left("generated_is_counted", "counted");
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
                Entry::seconds(Some(measured.preparation_seconds).filter(|time| *time > 0.0)),
                Entry::seconds(Some(measured.reused_seconds).filter(|time| *time > 0.0)),
                Entry::text(match measured.generated_is_counted {
                    None => "",
                    Some(true) => "yes",
                    Some(false) => "no",
                }),
            ]);
        }
    }
    table
}
