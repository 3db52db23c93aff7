//! The specification of an experiment: a TOML file with domains, methods, instances and limits.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::options::{OptionValue, Options, resolve};

/// An experiment.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spec {
    /// Its title.
    pub title: String,
    /// A description for the reader of a report.
    #[serde(default)]
    pub description: String,
    /// The limits of each cell.
    #[serde(default)]
    pub limits: Limits,
    /// The number of runs of each cell before it is measured, so that caches and branch predictors
    /// are warm.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub warmup: u32,
    /// The games with their instances.
    #[serde(rename = "domain", default)]
    pub domains: Vec<Domain>,
    /// The methods. The others are compared with the first one.
    #[serde(rename = "method", default)]
    pub methods: Vec<Method>,
    /// Published figures for comparison with the measured ones.
    #[serde(rename = "published", default)]
    pub published: Vec<Published>,
}

/// The limits of each cell. As text, in the units of the command line.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Time, such as `60s`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// Generated nodes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Memory, such as `1G`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<String>,
}

/// A game with its instances.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Domain {
    /// Its name in reports.
    pub name: String,
    /// A PSVN file, relative to the experiment's file, or `gen:NAME:ARGS`.
    pub file: String,
    /// For built-in games: another goal state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goal: Option<String>,
    /// The values that words in states stand for, if they differ from the game's names.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub map: BTreeMap<String, String>,
    /// The start states.
    #[serde(default)]
    pub instances: Vec<InstanceSource>,
    /// Options of methods in this domain, by command. Those of the methods override them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, BTreeMap<String, OptionValue>>,
}

/// The source of instances: exactly one of `state`, `scramble`, `goal`, `file` and `walks`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InstanceSource {
    /// One state: values separated by white space.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    /// One state, given by moves from the goal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scramble: Option<String>,
    /// The name of that state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The known least cost of that state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<u64>,
    /// The goal state.
    #[serde(default, skip_serializing_if = "is_false")]
    pub goal: bool,
    /// A file of instances, relative to the experiment's file: one state per line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The layout of the file's lines; detected unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// The number of instances of the file to use, from its beginning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<usize>,
    /// The number of random walks to make, whose ends are instances, for each number of steps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub walks: Option<usize>,
    /// The lengths of the walks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps: Option<Steps>,
    /// The seed of the walks; 1 unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The start of the walks; the goal state unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Whether a step may lead back to the state before. By default it doesn't unless there is no
    /// other step.
    #[serde(default, skip_serializing_if = "is_false")]
    pub undo: bool,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

fn is_false(flag: &bool) -> bool {
    !flag
}

/// The lengths of random walks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Steps {
    /// One length.
    One(u64),
    /// Several lengths, each with the same number of walks.
    Several(Vec<u64>),
}

impl Steps {
    /// Return the lengths.
    pub fn lengths(&self) -> &[u64] {
        match self {
            Steps::One(length) => std::slice::from_ref(length),
            Steps::Several(lengths) => lengths,
        }
    }
}

/// A method: a command and its options.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Method {
    /// Its name in reports.
    pub name: String,
    /// The command that does it.
    #[serde(default = "solve")]
    pub command: String,
    /// The domains that it applies to; all of them unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub domains: Option<Vec<String>>,
    /// All else: the options of that command.
    #[serde(flatten)]
    pub options: BTreeMap<String, OptionValue>,
}

fn solve() -> String {
    "solve".to_owned()
}

impl Method {
    /// Return whether it is for a domain.
    pub fn is_for(&self, domain: &Domain) -> bool {
        let names = self.domains.as_deref();
        names.is_none_or(|names| names.contains(&domain.name))
    }
}

/// A published figure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Published {
    /// The domain.
    pub domain: String,
    /// The method.
    pub method: String,
    /// The number of steps of the walk that the figure is for, if instances differ in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps: Option<u64>,
    /// The measure: a mean over the instances.
    pub measure: Measure,
    /// The figure. Omitted if the authors gave up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// A remark, such as `> 3600 s`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// Its source, if figures of several sources are compared. The first one listed is also in the
    /// table of all methods.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub source: String,
}

/// A measure that can be both published and measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// Generated nodes.
    Generated,
    /// States that were kept.
    States,
    /// Moves of a solution.
    Length,
    /// The instances without a solution.
    Failed,
    /// Redundant words.
    Words,
    /// Interior nodes of their trie.
    TrieStates,
    /// The asymptotic branching factor that they leave.
    BranchingFactor,
}

/// Random walks are no longer than this.
pub const MOST_STEPS: u64 = 10_000_000;

/// The greatest total number of steps in the walks of one source of instances.
pub const MOST_STEPS_TOGETHER: u64 = 1_000_000_000;

/// A mistake in an experiment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecError {
    /// The problem.
    pub message: String,
    /// The place, as a range of bytes of the text, if known.
    pub place: Option<Range<usize>>,
    /// How to fix it.
    pub hint: Option<String>,
}

/// All mistakes in an experiment, at least one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.0.iter().map(|error| error.message.as_str()).collect::<Vec<_>>().join("; "))]
pub struct SpecErrors(pub Vec<SpecError>);

impl From<toml::de::Error> for SpecError {
    fn from(error: toml::de::Error) -> Self {
        Self {
            message: error.message().to_owned(),
            place: error.span(),
            hint: None,
        }
    }
}

impl Spec {
    /// Return the options of a method in a domain for an instance at the end of a walk of `steps`
    /// steps.
    ///
    /// # Errors
    /// A message, if an option depends on the number of steps and there is none.
    pub fn options_of(
        &self,
        domain: &Domain,
        method: &Method,
        steps: Option<u64>,
    ) -> Result<Options, String> {
        let below = domain.options.get(&method.command);
        resolve(below.into_iter().chain([&method.options]), steps).map_err(|option| {
            format!(
                "method `{}`: `{option}` depends on the steps of a random walk, and `{}` has \
                 instances that are none",
                method.name, domain.name
            )
        })
    }
}

impl InstanceSource {
    /// Check the specification. The error has a message and the key that it is about.
    pub(crate) fn check(&self) -> Result<(), (Option<&'static str>, String)> {
        let wrong = |key, message: &str| Err((key, message.to_owned()));
        let kinds = [
            self.state.is_some(),
            self.scramble.is_some(),
            self.goal,
            self.file.is_some(),
            self.walks.is_some(),
        ];
        if kinds.iter().filter(|is_given| **is_given).count() != 1 {
            return wrong(
                None,
                "instances are one of `state`, `scramble`, `goal`, `file` and `walks`",
            );
        }
        match (self.walks.is_some(), &self.steps) {
            (true, None) => return wrong(Some("walks"), "`walks` need `steps`"),
            (false, Some(_)) => return wrong(Some("steps"), "`steps` are for `walks`"),
            _ => {}
        }
        if let (Some(walks), Some(steps)) = (self.walks, &self.steps) {
            let longest = steps.lengths().iter().max().copied().unwrap_or(0);
            if longest > MOST_STEPS {
                let message = format!("walks of {longest} steps are longer than {MOST_STEPS}");
                return Err((Some("steps"), message));
            }
            let one_each: u64 = steps.lengths().iter().sum();
            let together = one_each.saturating_mul(u64::try_from(walks).unwrap_or(u64::MAX));
            if together > MOST_STEPS_TOGETHER {
                let message = format!(
                    "these walks have {together} steps together, more than {MOST_STEPS_TOGETHER}"
                );
                return Err((Some("walks"), message));
            }
        }
        if self.walks.is_none() && (self.seed.is_some() || self.from.is_some() || self.undo) {
            return wrong(None, "`seed`, `from` and `undo` are for `walks`");
        }
        let is_one = self.state.is_some() || self.scramble.is_some();
        if !is_one && (self.id.is_some() || self.cost.is_some()) {
            return wrong(None, "`id` and `cost` are for a `state` or a `scramble`");
        }
        if self.file.is_none() && self.format.is_some() {
            return wrong(Some("format"), "`format` is for a `file`");
        }
        if self.file.is_none() && self.first.is_some() {
            return wrong(Some("first"), "`first` is for a `file`");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = r#"
title = "Small"
[limits]
time = "10s"
[[domain]]
name = "tiles"
file = "gen:sliding-tiles:3:3"
instances = [{ walks = 2, steps = [3, 4], seed = 7 }, { goal = true }]
[domain.options.tree]
depth = 5
[[method]]
name = "IDA*"
algorithm = "ida"
prune = 2
[[method]]
name = "tree"
command = "tree"
depth = 4
"#;

    #[test]
    fn options_come_from_domain_and_method() {
        let spec = Spec::parse(SMALL).unwrap();
        let options = |method: usize| {
            let options = spec.options_of(&spec.domains[0], &spec.methods[method], None);
            format!("{:?}", options.unwrap())
        };
        assert_eq!(
            options(0),
            r#"{"algorithm": Some("ida"), "prune": Some("2")}"#
        );
        assert_eq!(options(1), r#"{"depth": Some("4")}"#);
        assert_eq!(spec.methods[0].command, "solve");
        let without = SMALL.replace("depth = 4\n", "");
        let spec = Spec::parse(&without).unwrap();
        let options = spec
            .options_of(&spec.domains[0], &spec.methods[1], None)
            .unwrap();
        assert_eq!(format!("{options:?}"), r#"{"depth": Some("5")}"#);
    }

    #[test]
    fn a_spec_survives_json() {
        let spec = Spec::parse(SMALL).unwrap();
        let json = serde_json::to_string(&spec).unwrap();
        assert_eq!(serde_json::from_str::<Spec>(&json).unwrap(), spec);
    }

    #[test]
    fn what_is_wrong_has_its_place() {
        let place = |text: &str| {
            let SpecErrors(mut errors) = Spec::parse(text).unwrap_err();
            assert_eq!(errors.len(), 1, "{errors:?}");
            let error = errors.remove(0);
            let found = error.place.clone().map(|place| text[place].to_owned());
            (error.message, found)
        };
        let (message, found) = place(&SMALL.replace("\"tree\"\ncommand", "\"IDA*\"\ncommand"));
        assert_eq!(message, "two methods are called `IDA*`");
        assert_eq!(found.as_deref(), Some("\"IDA*\""));
        let (message, found) = place(&SMALL.replace("time = \"10s\"", "tme = 1"));
        assert!(message.contains("unknown field `tme`"), "{message}");
        assert_eq!(found.as_deref(), Some("tme"));
        let (message, _) = place(&SMALL.replace("goal = true", "goal = true, walks = 2"));
        assert!(message.contains("one of `state`"), "{message}");
        let (message, found) = place(&SMALL.replace("prune = 2", "domains = [\"tile\"]"));
        assert!(message.contains("`tile`, which isn't there"), "{message}");
        assert_eq!(found.as_deref(), Some("\"tile\""));
        let (message, found) = place(&SMALL.replace("[3, 4]", "[3, 99999999999]"));
        assert!(
            message.contains("walks of 99999999999 steps are longer than 10000000"),
            "{message}"
        );
        assert_eq!(found.as_deref(), Some("[3, 99999999999]"));
        let many = SMALL.replace(
            "walks = 2, steps = [3, 4]",
            "walks = 1_000_000, steps = 9000",
        );
        let (message, found) = place(&many);
        assert!(message.contains("9000000000 steps together"), "{message}");
        assert_eq!(found.as_deref(), Some("1_000_000"));
        assert!(Spec::parse("title = \"x\"").is_err());
        assert!(Spec::parse("\u{0}").is_err());
    }

    #[test]
    fn all_mistakes_are_found_at_once() {
        let found = |text: &str| {
            let SpecErrors(errors) = Spec::parse(text).unwrap_err();
            let place = |error: SpecError| {
                let line = |place: Range<usize>| text[..place.start].lines().count();
                (error.message, error.place.map(line))
            };
            errors.into_iter().map(place).collect::<Vec<_>>()
        };
        // In the tables: each has its own.
        let text = SMALL
            .replace("title = \"Small\"", "titel = \"Small\"")
            .replace("walks = 2, ", "wlaks = 2, ")
            .replace("name = \"tree\"", "nam = \"tree\"");
        let messages: Vec<String> = found(&text)
            .into_iter()
            .map(|(message, _)| message)
            .collect();
        assert_eq!(messages.len(), 3, "{messages:?}");
        assert!(messages.iter().any(|m| m.contains("unknown field `titel`")));
        assert!(messages.iter().any(|m| m.contains("unknown field `wlaks`")));
        assert!(messages.iter().any(|m| m.contains("missing field `name`")));
        // Among them.
        let text = SMALL
            .replace("steps = [3, 4]", "steps = 10000001")
            .replace("{ goal = true }", "{ goal = true, first = 2 }")
            .replace("name = \"tree\"", "name = \"IDA*\"");
        let lines: Vec<usize> = found(&text)
            .into_iter()
            .filter_map(|(_, line)| line)
            .collect();
        assert_eq!(lines.len(), 3, "{:?}", found(&text));
        // In the text.
        assert!(found("title = 'x\nlimits = [1\ndomain = }\n").len() > 1);
    }
}
