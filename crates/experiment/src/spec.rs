//! What an experiment measures: a TOML file that names domains, methods, instances and limits.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::options::{OptionValue, Options, resolve};

/// An experiment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spec {
    /// What it is called.
    pub title: String,
    /// What it is about, for the reader of a report.
    #[serde(default)]
    pub description: String,
    /// What each cell may use.
    #[serde(default)]
    pub limits: Limits,
    /// The games with their instances.
    #[serde(rename = "domain", default)]
    pub domains: Vec<Domain>,
    /// What is done with each instance. The first one is what the others are compared with.
    #[serde(rename = "method", default)]
    pub methods: Vec<Method>,
    /// Figures that were published, to stand beside the measured ones.
    #[serde(rename = "published", default)]
    pub published: Vec<Published>,
}

/// What each cell may use. As text, in the units of the command line.
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
    /// What reports call it.
    pub name: String,
    /// A PSVN file, beside the file of the experiment, or `gen:NAME:ARGS`.
    pub file: String,
    /// For built-in games: another goal state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goal: Option<String>,
    /// The start states.
    #[serde(default)]
    pub instances: Vec<InstanceSource>,
    /// Options of methods in this domain, by command: they stand below those of the methods.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, BTreeMap<String, OptionValue>>,
}

/// Where instances come from: exactly one of `state`, `goal`, `file` and `walks`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InstanceSource {
    /// One state: values separated by white space.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    /// The name of that state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The known least cost of that state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<u64>,
    /// The goal state.
    #[serde(default, skip_serializing_if = "is_false")]
    pub goal: bool,
    /// A file of instances, beside the file of the experiment: one state a line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Only the first so many of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<usize>,
    /// So many states at the ends of random walks, for each number of steps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub walks: Option<usize>,
    /// How long the walks are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps: Option<Steps>,
    /// The seed of the walks; 1 unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Where the walks begin; at the goal state unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Whether a step may lead back to the state before; it doesn't unless there is no other, or
    /// unless this is said.
    #[serde(default, skip_serializing_if = "is_false")]
    pub undo: bool,
}

fn is_false(flag: &bool) -> bool {
    !flag
}

/// The lengths of random walks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Steps {
    /// All of one length.
    One(u64),
    /// As many of each length.
    Several(Vec<u64>),
}

impl Steps {
    /// The lengths.
    pub fn lengths(&self) -> &[u64] {
        match self {
            Steps::One(length) => std::slice::from_ref(length),
            Steps::Several(lengths) => lengths,
        }
    }
}

/// What is done with each instance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Method {
    /// What reports call it.
    pub name: String,
    /// The command that does it.
    #[serde(default = "solve")]
    pub command: String,
    /// The domains that it is for; all of them unless given.
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
    /// Whether it is for a domain.
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
    /// Where instances differ by the steps of a walk: for this number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps: Option<u64>,
    /// What it is: a mean over the instances.
    pub measure: Measure,
    /// The figure. Left out where the authors gave up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// A remark, such as `> 3600 s`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

/// What can be published, and measured.
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
}

/// What is wrong with an experiment.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct SpecError {
    /// What is wrong.
    pub message: String,
    /// Where, as a range of bytes of the text, if that is known.
    pub place: Option<Range<usize>>,
    /// What to do about it.
    pub hint: Option<String>,
}

impl Spec {
    /// Reads an experiment.
    ///
    /// # Errors
    /// With the place, when the text isn't TOML, says something that has no meaning, or names
    /// something that isn't there.
    pub fn parse(text: &str) -> Result<Self, SpecError> {
        let spec: Spec = toml::from_str(text).map_err(|error| SpecError {
            message: error.message().to_owned(),
            place: error.span(),
            hint: None,
        })?;
        spec.check(text)?;
        Ok(spec)
    }

    fn check(&self, text: &str) -> Result<(), SpecError> {
        let error = |message: String, near: &str, nth: usize, hint: &str| SpecError {
            message,
            place: find_value(text, near, nth),
            hint: Some(hint.to_owned()).filter(|hint| !hint.is_empty()),
        };
        if self.domains.is_empty() || self.methods.is_empty() {
            let what = if self.domains.is_empty() {
                "domain"
            } else {
                "method"
            };
            let hint = format!("add a table that begins with `[[{what}]]`");
            return Err(error(format!("there is no {what}"), "", 0, &hint));
        }
        let domain_names: Vec<&str> = self.domains.iter().map(|d| d.name.as_str()).collect();
        let method_names: Vec<&str> = self.methods.iter().map(|m| m.name.as_str()).collect();
        for (what, names) in [("domain", &domain_names), ("method", &method_names)] {
            for (i, name) in names.iter().enumerate() {
                if names[..i].contains(name) {
                    let message = format!("two {what}s are called `{name}`");
                    return Err(error(
                        message,
                        name,
                        1,
                        "results are told apart by these names",
                    ));
                }
            }
        }
        let known = |names: &[&str]| format!("known are {}", names.join(", "));
        for method in &self.methods {
            for name in method.domains.iter().flatten() {
                if !domain_names.contains(&name.as_str()) {
                    let message = format!(
                        "method `{}` is for a domain `{name}`, which isn't there",
                        method.name
                    );
                    return Err(error(message, name, 0, &known(&domain_names)));
                }
            }
        }
        for published in &self.published {
            if !domain_names.contains(&published.domain.as_str()) {
                let message = format!(
                    "a figure is published for `{}`, which isn't there",
                    published.domain
                );
                return Err(error(message, &published.domain, 0, &known(&domain_names)));
            }
            if !method_names.contains(&published.method.as_str()) {
                let message = format!(
                    "a figure is published for `{}`, which isn't there",
                    published.method
                );
                return Err(error(message, &published.method, 0, &known(&method_names)));
            }
        }
        for domain in &self.domains {
            for source in &domain.instances {
                if let Err(message) = source.check() {
                    let message = format!("domain `{}`: {message}", domain.name);
                    return Err(error(message, &domain.name, 0, ""));
                }
            }
        }
        Ok(())
    }

    /// The options of a method in a domain, for an instance at the end of a walk of so many steps.
    ///
    /// # Errors
    /// With a message, when an option depends on the steps and there are none.
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
    fn check(&self) -> Result<(), String> {
        let kinds = [
            self.state.is_some(),
            self.goal,
            self.file.is_some(),
            self.walks.is_some(),
        ];
        if kinds.iter().filter(|is_given| **is_given).count() != 1 {
            return Err("instances are one of `state`, `goal`, `file` and `walks`".to_owned());
        }
        match (self.walks.is_some(), &self.steps) {
            (true, None) => return Err("`walks` need `steps`".to_owned()),
            (false, Some(_)) => return Err("`steps` are for `walks`".to_owned()),
            _ => {}
        }
        if self.walks.is_none() && (self.seed.is_some() || self.from.is_some() || self.undo) {
            return Err("`seed`, `from` and `undo` are for `walks`".to_owned());
        }
        if self.state.is_none() && (self.id.is_some() || self.cost.is_some()) {
            return Err("`id` and `cost` are for a `state`".to_owned());
        }
        if self.file.is_none() && self.first.is_some() {
            return Err("`first` is for a `file`".to_owned());
        }
        Ok(())
    }
}

/// Where a text stands in quotes; or, for `nth` from 1 on, where it is a name for that time, counted from 0.
fn find_value(text: &str, value: &str, nth: usize) -> Option<Range<usize>> {
    if value.is_empty() {
        return None;
    }
    let quoted = format!("\"{value}\"");
    let is_name = |start: usize| {
        let before = text[..start].trim_end().strip_suffix('=');
        before.is_some_and(|before| before.trim_end().ends_with("name"))
    };
    let mut found = text
        .match_indices(&quoted)
        .filter(|(start, _)| nth == 0 || is_name(*start));
    let (start, found) = found.nth(nth)?;
    Some(start..start + found.len())
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
            let error = Spec::parse(text).unwrap_err();
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
        assert!(Spec::parse("title = \"x\"").is_err());
        assert!(Spec::parse("\u{0}").is_err());
    }
}
