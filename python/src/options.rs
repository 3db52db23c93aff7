//! Options as Python passes them: names with values as text.

use std::fmt::Display;
use std::path::PathBuf;
use std::str::FromStr;

use psvn::analysis::{Pruning, SearchFor, SplitChoice, parse_max_length, parse_order};
use psvn::experiment::{Group, Method, TreeOptions};
use psvn::text::Choice;
use psvn::text::units::{parse_bytes, parse_duration};
use psvn::{Error, PruneSpec, SearchOptions};

/// Options: names with values.
pub(crate) type Pairs = Vec<(String, String)>;

fn wrong(name: &str, value: &str, why: impl Display) -> Error {
    Error::usage(format!("`{name}` is `{value}`: {why}"))
}

fn parsed<T: FromStr<Err: Display>>(name: &str, value: &str) -> Result<T, Error> {
    value.parse().map_err(|error| wrong(name, value, error))
}

fn by<T>(name: &str, value: &str, parse: impl Fn(&str) -> Result<T, String>) -> Result<T, Error> {
    parse(value).map_err(|why| wrong(name, value, why))
}

fn chosen<T: Choice>(name: &str, value: &str) -> Result<T, Error> {
    T::from_name(value).ok_or_else(|| {
        let names: Vec<&str> = T::ALL.iter().map(|it| it.name()).collect();
        wrong(name, value, format!("choose one of {}", names.join(", ")))
    })
}

fn flag(name: &str, value: &str) -> Result<bool, Error> {
    match value.to_ascii_lowercase().as_str() {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(wrong(name, value, "it is True or False")),
    }
}

fn unknown(what: &str, name: &str, known: &[&str]) -> Error {
    let error = Error::usage(format!("{what} has no option `{name}`"));
    error.with_hint(format!("the options are {}", known.join(", ")))
}

/// An option's name as Python writes it.
fn plain(name: &str) -> String {
    name.replace('-', "_")
}

const OF_SEARCHES: &[&str] = &[
    "algorithm",
    "depth",
    "weight",
    "growth",
    "cost_bound",
    "ties",
    "symmetries",
    "heuristic",
    "heuristic_memory",
    "mirrored",
    "duals",
    "perimeter",
    "prune",
    "split",
    "cycles",
    "count_depths",
    "nodes",
    "time",
    "memory",
];

/// The options of a search.
pub(crate) fn of_search(pairs: &Pairs) -> Result<SearchOptions, Error> {
    let mut options = SearchOptions::default();
    for (name, value) in pairs {
        let (name, value) = (plain(name), value.as_str());
        let name = name.as_str();
        match name {
            "algorithm" => options.algorithm = parsed(name, value)?,
            "depth" => options.depth = Some(parsed(name, value)?),
            "weight" => options.weight = Some(parsed(name, value)?),
            "growth" => options.growth = Some(parsed(name, value)?),
            "cost_bound" => options.cost_bound = Some(parsed(name, value)?),
            "ties" => options.ties = Some(chosen(name, value)?),
            "symmetries" => options.symmetries = flag(name, value)?,
            "heuristic" => options.heuristic = parsed(name, value)?,
            "heuristic_memory" => options.heuristic_memory = by(name, value, parse_bytes)?,
            "mirrored" => options.mirrored = parsed(name, value)?,
            "duals" => options.duals = flag(name, value)?,
            "perimeter" => options.perimeter = Some(parsed(name, value)?),
            "prune" => options.prune = Some(parsed(name, value)?),
            "split" => options.split = chosen::<SplitChoice>(name, value)?,
            "cycles" => options.cycles = chosen(name, value)?,
            "count_depths" => options.count_depths = flag(name, value)?,
            "nodes" => options.nodes = Some(parsed(name, value)?),
            "time" => options.time = Some(by(name, value, parse_duration)?),
            "memory" => options.memory = Some(by(name, value, parse_bytes)?),
            _ => return Err(unknown("a search", name, OF_SEARCHES)),
        }
    }
    Ok(options)
}

const OF_ANALYSES: &[&str] = &[
    "max_length",
    "order",
    "rule_order",
    "invariants",
    "start",
    "instances",
    "letters",
    "operator_order",
    "method",
    "generic_start",
    "machine",
    "sleep_sets",
    "dont_cares",
    "search_for",
    "split",
    "time",
    "memory",
];

/// The options of an analysis.
pub(crate) fn of_analysis(pairs: &Pairs) -> Result<Pruning, Error> {
    let mut pruning = Pruning::default();
    for (name, value) in pairs {
        let (name, value) = (plain(name), value.as_str());
        let name = name.as_str();
        match name {
            "max_length" => pruning.max_length = by(name, value, parse_max_length)?,
            "order" => pruning.order = by(name, value, parse_order)?,
            "rule_order" => pruning.rule_order = chosen(name, value)?,
            "invariants" => pruning.invariants = Some(chosen(name, value)?),
            "start" => pruning.start = Some(value.to_owned()),
            "instances" => pruning.instances = Some(PathBuf::from(value)),
            "letters" => pruning.letters = Some(chosen(name, value)?),
            "operator_order" => pruning.operator_order = Some(parsed(name, value)?),
            "method" => pruning.method = chosen(name, value)?,
            "generic_start" => pruning.generic_start = Some(value.to_owned()),
            "machine" => pruning.machine = chosen(name, value)?,
            "sleep_sets" => pruning.sleep_sets = flag(name, value)?,
            "dont_cares" => pruning.dont_cares = flag(name, value)?,
            "search_for" => pruning.search_for = chosen::<SearchFor>(name, value)?,
            "split" => pruning.split = Some(chosen::<SplitChoice>(name, value)?),
            "time" => pruning.time = Some(by(name, value, parse_duration)?),
            "memory" => pruning.memory = Some(by(name, value, parse_bytes)?),
            _ => return Err(unknown("an analysis", name, OF_ANALYSES)),
        }
    }
    Ok(pruning)
}

const OF_TREES: &[&str] = &["depth", "prune", "invariants", "split", "nodes", "time"];

/// The options of a count of a tree in an experiment.
fn of_tree(pairs: &Pairs) -> Result<TreeOptions, Error> {
    let mut depth = None;
    let mut options = TreeOptions {
        depth: 0,
        prune: PruneSpec::Length(2),
        within_invariants: true,
        split: None,
        nodes: None,
        time: None,
    };
    for (name, value) in pairs {
        let (name, value) = (plain(name), value.as_str());
        let name = name.as_str();
        match name {
            "depth" => depth = Some(parsed(name, value)?),
            "prune" => options.prune = parsed(name, value)?,
            "invariants" => {
                options.within_invariants = match value {
                    "start" => true,
                    "none" => false,
                    _ => return Err(wrong(name, value, "choose one of start, none")),
                }
            }
            "split" => options.split = Some(chosen::<SplitChoice>(name, value)?),
            "nodes" => options.nodes = Some(parsed(name, value)?),
            "time" => options.time = Some(by(name, value, parse_duration)?),
            _ => return Err(unknown("a tree", name, OF_TREES)),
        }
    }
    options.depth = depth.ok_or_else(|| Error::usage("a tree is counted to a `depth`"))?;
    Ok(options)
}

/// The method of a group of cells of an experiment.
pub(crate) fn of_group(group: &Group<'_>) -> Result<Method, String> {
    let command = group.method.command.as_str();
    let limits = group.limits;
    let mut pairs: Pairs = Vec::new();
    let takes_nodes = command != "analyze";
    let takes_memory = command != "tree";
    let of_all = [
        ("time", limits.time.clone()),
        (
            "nodes",
            limits
                .nodes
                .map(|it| it.to_string())
                .filter(|_| takes_nodes),
        ),
        ("memory", limits.memory.clone().filter(|_| takes_memory)),
    ];
    for (name, value) in of_all {
        // A method's own options take precedence.
        if let Some(value) = value.filter(|_| !group.options.contains_key(name)) {
            pairs.push((name.to_owned(), value));
        }
    }
    for (name, value) in group.options {
        let value = value.clone().unwrap_or_else(|| "true".to_owned());
        pairs.push((name.clone(), value));
    }
    let method = match command {
        "tree" => of_tree(&pairs).map(Method::Tree),
        "analyze" => of_analysis(&pairs).map(|it| Method::Analyze(Box::new(it))),
        "solve" => {
            let search_anyway = pairs.iter().any(|(name, _)| name == "search-anyway");
            pairs.retain(|(name, _)| name != "search-anyway");
            of_search(&pairs).and_then(|options| {
                options.check()?;
                options.prune_spec()?;
                Ok(Method::Solve {
                    options: Box::new(options),
                    search_anyway,
                })
            })
        }
        other => Err(Error::usage(format!(
            "`{other}` can't be measured from Python"
        ))),
    };
    method.map_err(|error| error.to_string())
}
