//! Options that are set by their names, with values as text.
//!
//! Files of experiments and programs in other languages give options in this way. There is one
//! table of names for each kind of work; see [`SearchOptions::set`] and [`Pruning::set`].

use std::fmt::Display;
use std::path::PathBuf;
use std::str::FromStr;

use search::{Ties, Weight};

use crate::analysis::{
    Assume, Letters, MachineKind, MaxLength, Method, OperatorOrder, Order, Pruning,
    RuleOrderChoice, SearchFor, SplitChoice,
};
use crate::error::Error;
use crate::heuristic::HeuristicSpec;
use crate::solve::options::SearchOptions;
use crate::solve::pruning::PruneSpec;
use crate::solve::transpositions::TranspositionTable;
use crate::text::algorithm::{Algorithm, Cycles};
use crate::text::units::{parse_bytes, parse_duration};
use crate::text::{Choice, Message, OptionName, message};

/// Sets an option to the value that a text names.
pub type Set<T> = fn(&mut T, &str) -> Result<(), String>;

/// The options of one kind of work: the names of each, the library's first, and how it is set.
pub type Table<T> = [(&'static [&'static str], Set<T>)];

/// The similarity from which a name may be meant by another one.
const SIMILAR: f64 = 0.7;

const OF_SEARCHES: &Table<SearchOptions> = &[
    (&["algorithm"], |o, v| {
        put(&mut o.algorithm, v.parse::<Algorithm>())
    }),
    (&["depth"], |o, v| put(&mut o.depth, v.parse::<u64>())),
    (&["weight"], |o, v| put(&mut o.weight, v.parse::<Weight>())),
    (&["width"], |o, v| put(&mut o.width, v.parse::<u64>())),
    (&["growth"], |o, v| put(&mut o.growth, v.parse::<Weight>())),
    (&["cost-bound"], |o, v| {
        put(&mut o.cost_bound, v.parse::<u64>())
    }),
    (&["ties"], |o, v| put(&mut o.ties, chosen::<Ties>(v))),
    (&["symmetries"], |o, v| put(&mut o.symmetries, flag(v))),
    (&["all"], |o, v| put(&mut o.all, v.parse::<u64>())),
    (&["disk"], |o, v| put(&mut o.disk, text::<PathBuf>(v))),
    (&["disk-memory"], |o, v| {
        let bytes = parse_bytes(v).map(|bytes| bytes as u64);
        put(&mut o.disk_memory, bytes)
    }),
    (&["heuristic"], |o, v| {
        put(&mut o.heuristic, v.parse::<HeuristicSpec>())
    }),
    (&["heuristic-memory"], |o, v| {
        put(&mut o.heuristic_memory, parse_bytes(v))
    }),
    (&["mirrored"], |o, v| {
        put(&mut o.mirrored, v.parse::<usize>())
    }),
    (&["duals"], |o, v| put(&mut o.duals, flag(v))),
    (&["perimeter"], |o, v| {
        put(&mut o.perimeter, v.parse::<u64>())
    }),
    (&["table"], |o, v| {
        put(&mut o.table, v.parse::<TranspositionTable>())
    }),
    (&["prune"], |o, v| put(&mut o.prune, v.parse::<PruneSpec>())),
    (&["split"], |o, v| {
        put(&mut o.split, chosen::<SplitChoice>(v))
    }),
    (&["cycles"], |o, v| put(&mut o.cycles, chosen::<Cycles>(v))),
    (&["count-depths", "stats"], |o, v| {
        put(&mut o.count_depths, flag(v))
    }),
    (&["nodes"], |o, v| {
        put(&mut o.limits.nodes, v.parse::<u64>())
    }),
    (&["time"], |o, v| put(&mut o.limits.time, parse_duration(v))),
    (&["memory"], |o, v| {
        put(&mut o.limits.memory, parse_bytes(v))
    }),
];

const OF_ANALYSES: &Table<Pruning> = &[
    (&["max-length"], |o, v| {
        put(&mut o.max_length, v.parse::<MaxLength>())
    }),
    (&["order"], |o, v| put(&mut o.order, v.parse::<Order>())),
    (&["rule-order"], |o, v| {
        put(&mut o.rule_order, chosen::<RuleOrderChoice>(v))
    }),
    (&["invariants"], |o, v| {
        put(&mut o.invariants, chosen::<Assume>(v))
    }),
    (&["start"], |o, v| put(&mut o.start, text::<String>(v))),
    (&["instances"], |o, v| {
        put(&mut o.instances, text::<PathBuf>(v))
    }),
    (&["letters", "operators"], |o, v| {
        put(&mut o.letters, chosen::<Letters>(v))
    }),
    (&["operator-order"], |o, v| {
        put(&mut o.operator_order, v.parse::<OperatorOrder>())
    }),
    (&["method"], |o, v| put(&mut o.method, chosen::<Method>(v))),
    (&["generic-start"], |o, v| {
        put(&mut o.generic_start, text::<String>(v))
    }),
    (&["machine"], |o, v| {
        put(&mut o.machine, chosen::<MachineKind>(v))
    }),
    (&["sleep-sets"], |o, v| put(&mut o.sleep_sets, flag(v))),
    (&["dont-cares"], |o, v| put(&mut o.dont_cares, flag(v))),
    (&["search-for", "for"], |o, v| {
        put(&mut o.search_for, chosen::<SearchFor>(v))
    }),
    (&["split"], |o, v| {
        put(&mut o.split, chosen::<SplitChoice>(v))
    }),
    (&["time"], |o, v| put(&mut o.limits.time, parse_duration(v))),
    (&["memory"], |o, v| {
        put(&mut o.limits.memory, parse_bytes(v))
    }),
];

impl SearchOptions {
    /// Set the option of this name, such as `heuristic_memory`, to the value that a text names.
    /// Names may also be written with hyphens, and as the command has them.
    ///
    /// ```
    /// use psvn::SearchOptions;
    ///
    /// let mut options = SearchOptions::default();
    /// options.set("heuristic_memory", "1G")?;
    /// assert_eq!(options.heuristic_memory, 1 << 30);
    /// let error = options.set("heuristic_memry", "1G").unwrap_err();
    /// assert!(error.to_string().contains("'heuristic_memory'"));
    /// # Ok::<(), psvn::Error>(())
    /// ```
    ///
    /// # Errors
    /// When there is no option of this name, or it takes no such value.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), Error> {
        set(self, OF_SEARCHES, name, value)
    }

    /// Return the names of all options, with hyphens.
    pub fn names() -> Vec<&'static str> {
        names(OF_SEARCHES)
    }

    /// Return the options that are set, as names and values that [`set`](Self::set) reads.
    pub fn named(&self) -> Vec<(&'static str, String)> {
        fn of<T: ToString>(value: &Option<T>) -> Option<String> {
            value.as_ref().map(T::to_string)
        }
        let bytes = |bytes: &dyn Display| format!("{bytes}B");
        let path = |path: &PathBuf| path.display().to_string();
        let limits = &self.limits;
        let options = [
            ("algorithm", Some(self.algorithm.code().to_owned())),
            ("depth", of(&self.depth)),
            ("weight", of(&self.weight)),
            ("width", of(&self.width)),
            ("growth", of(&self.growth)),
            ("cost-bound", of(&self.cost_bound)),
            ("ties", self.ties.map(|it| it.name().to_owned())),
            ("symmetries", Some(self.symmetries.to_string())),
            ("all", of(&self.all)),
            ("disk", self.disk.as_ref().map(path)),
            ("disk-memory", self.disk_memory.map(|it| bytes(&it))),
            ("heuristic", Some(self.heuristic.to_string())),
            ("heuristic-memory", Some(bytes(&self.heuristic_memory))),
            ("mirrored", Some(self.mirrored.to_string())),
            ("duals", Some(self.duals.to_string())),
            ("perimeter", of(&self.perimeter)),
            ("table", of(&self.table)),
            ("prune", of(&self.prune)),
            ("split", Some(self.split.name().to_owned())),
            ("cycles", Some(self.cycles.name().to_owned())),
            ("count-depths", Some(self.count_depths.to_string())),
            ("nodes", of(&limits.nodes)),
            (
                "time",
                limits.time.map(|time| format!("{}s", time.as_secs_f64())),
            ),
            ("memory", limits.memory.map(|it| bytes(&it))),
        ];
        let given = |(name, value): (_, Option<String>)| Some((name, value?));
        options.into_iter().filter_map(given).collect()
    }
}

impl Pruning {
    /// Set the option of this name, such as `max_length`, to the value that a text names. Names may
    /// also be written with hyphens, and as the command has them.
    ///
    /// # Errors
    /// When there is no option of this name, or it takes no such value.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), Error> {
        set(self, OF_ANALYSES, name, value)
    }

    /// Return the names of all options, with hyphens.
    pub fn names() -> Vec<&'static str> {
        names(OF_ANALYSES)
    }
}

/// The library's name of each option.
fn names<T>(table: &Table<T>) -> Vec<&'static str> {
    table.iter().map(|(names, _)| names[0]).collect()
}

/// Set the option of a name.
///
/// # Errors
/// When the table has no option of this name, or it takes no such value.
pub fn set<T>(options: &mut T, table: &Table<T>, name: &str, value: &str) -> Result<(), Error> {
    let name = name.replace('_', "-");
    match table.iter().find(|(names, _)| names.contains(&&*name)) {
        Some((_, set)) => set(options, value).map_err(|why| wrong(&name, value, why)),
        None => Err(unknown(&name, table)),
    }
}

/// Return the error for a value that an option doesn't take.
pub fn wrong(name: &str, value: &str, why: impl Display) -> Error {
    let name = OptionName(name.to_owned());
    Error::usage(message!["`", name, format!("` is `{value}`: {why}")])
}

/// Return the error for a name that isn't in the table, with one that may be meant, or with all of
/// them.
fn unknown<T>(name: &str, table: &Table<T>) -> Error {
    let mut text = message![
        "unexpected argument '",
        OptionName(name.to_owned()),
        "' found"
    ];
    let names = table.iter().flat_map(|(names, _)| *names);
    let similarity = |known: &&str| strsim::jaro(known, name);
    let nearest = names.max_by(|a, b| similarity(a).total_cmp(&similarity(b)));
    if let Some(nearest) = nearest.filter(|known| similarity(known) > SIMILAR) {
        text.push("; tip: a similar argument exists: '");
        text.push(OptionName((*nearest).to_owned()));
        text.push("'");
        return Error::usage(text);
    }
    let mut hint = Message::from("the options are ");
    for (place, (names, _)) in table.iter().enumerate() {
        hint.push(if place == 0 { "" } else { ", " });
        hint.push(OptionName(names[0].to_owned()));
    }
    Error::usage(text).with_hint(hint)
}

/// Store the value that was read.
///
/// # Errors
/// When it couldn't be read.
pub fn put<T, V>(place: &mut T, value: Result<V, impl Display>) -> Result<(), String>
where
    V: Into<T>,
{
    *place = value.map_err(|error| error.to_string())?.into();
    Ok(())
}

/// Read the name of a choice.
///
/// # Errors
/// When there is none of this name.
pub fn chosen<T: Choice>(value: &str) -> Result<T, String> {
    T::from_name(value).ok_or_else(|| {
        let names: Vec<&str> = T::ALL.iter().map(|it| it.name()).collect();
        format!("choose one of {}", names.join(", "))
    })
}

fn flag(value: &str) -> Result<bool, String> {
    of_two(&value.to_ascii_lowercase(), "true", "false")
}

/// Return whether the value is `yes`; else it has to be `no`.
///
/// # Errors
/// When it is neither.
pub fn of_two(value: &str, yes: &str, no: &str) -> Result<bool, String> {
    match value {
        _ if value == yes => Ok(true),
        _ if value == no => Ok(false),
        _ => Err(format!("choose one of {yes}, {no}")),
    }
}

/// Take any text.
fn text<T: FromStr>(value: &str) -> Result<T, T::Err> {
    value.parse()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_options_that_are_set_are_read_again() {
        let mut options = SearchOptions::default();
        for (name, value) in [
            ("algorithm", "wida"),
            ("depth", "7"),
            ("weight", "3/2"),
            ("width", "50"),
            ("growth", "2"),
            ("cost-bound", "9"),
            ("ties", "fifo"),
            ("symmetries", "true"),
            ("all", "10"),
            ("disk", "a/folder"),
            ("disk-memory", "3G"),
            ("heuristic", "manhattan,a.pdb+b.pdb"),
            ("heuristic-memory", "100M"),
            ("mirrored", "1"),
            ("duals", "true"),
            ("perimeter", "4"),
            ("table", "2M"),
            ("prune", "deep.fsm"),
            ("split", "all"),
            ("cycles", "parent"),
            ("stats", "true"),
            ("nodes", "1000"),
            ("time", "1.5m"),
            ("memory", "12345678"),
        ] {
            options.set(name, value).expect(name);
        }
        let mut names = options.named();
        assert_eq!(names.len(), SearchOptions::names().len());
        for options in [options.clone(), SearchOptions::default()] {
            let mut again = SearchOptions::default();
            for (name, value) in options.named() {
                again.set(name, &value).expect(name);
            }
            assert_eq!(format!("{again:?}"), format!("{options:?}"));
        }
        for (name, algorithm) in Algorithm::names() {
            options.set("algorithm", name).expect(name);
            assert_eq!(options.named()[0], ("algorithm", name.to_owned()));
            assert_eq!(options.algorithm, algorithm);
        }
        names.sort_unstable();
        names.dedup_by_key(|it| it.0);
        assert_eq!(names.len(), SearchOptions::names().len());
    }
}
