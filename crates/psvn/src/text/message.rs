//! Texts for people that name settings and tasks independently of a program's names for them.
//!
//! A hint such as "allow more with `memory`" has to say `--memory` on a command line and something
//! else in a form. So a [`Message`] keeps the names of settings apart from the text around them,
//! and [`Terms`] give their names where the message is shown.

use std::borrow::Cow;
use std::fmt;

/// A text for people, made of plain text and of parts that [`Terms`] name.
///
/// [`Display`](fmt::Display) writes it in this library's own terms.
///
/// ```
/// use psvn::text::{Message, Parameter, Setting, Terms, Task};
///
/// struct Options;
/// impl Terms for Options {
///     fn setting(&self, setting: &Setting) -> String {
///         format!("--{}", setting.parameter.name().replace('_', "-"))
///     }
///     fn task(&self, task: Task) -> String {
///         task.phrase().to_owned()
///     }
/// }
///
/// let mut hint = Message::from("allow more with ");
/// hint.push(Parameter::HeuristicMemory);
/// assert_eq!(hint.to_string(), "allow more with heuristic_memory");
/// assert_eq!(hint.in_terms_of(&Options), "allow more with --heuristic-memory");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Message {
    parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(Cow<'static, str>),
    Setting(Setting),
    Option(OptionName),
    Task(Task),
}

/// The name of an option as someone gave it, in words with hyphens between them. There may be no
/// such option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionName(pub String);

/// A parameter, perhaps with a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The parameter.
    pub parameter: Parameter,
    /// Its value, if one is given.
    pub value: Option<String>,
}

/// A program's names for settings and tasks in messages.
pub trait Terms: Send + Sync {
    /// The name of a parameter, with the value where there is one.
    fn setting(&self, setting: &Setting) -> String;

    /// The name of an option, which may not exist.
    fn option(&self, option: &OptionName) -> String {
        option.0.replace('-', "_")
    }

    /// The subject that does a task, as the beginning of a clause: "`built_in_games` lists the
    /// built-in games".
    fn task(&self, task: Task) -> String;
}

/// This library's own terms: names of fields and of functions.
#[derive(Clone, Copy, Debug, Default)]
pub struct LibraryTerms;

impl Terms for LibraryTerms {
    fn setting(&self, setting: &Setting) -> String {
        let name = setting.parameter.name();
        match &setting.value {
            Some(value) => format!("{name}: {value}"),
            None => name.to_owned(),
        }
    }

    fn task(&self, task: Task) -> String {
        task.phrase().to_owned()
    }
}

macro_rules! parameters {
    ($($(#[$doc:meta])* $variant:ident = $name:literal,)*) => {
        /// A setting that messages name independently of a program's name for it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Parameter {
            $($(#[$doc])* $variant,)*
        }

        impl Parameter {
            /// All parameters.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// Return the name in this library's terms, as a field would be called.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }
        }
    };
}

parameters! {
    /// Whether a pattern database is one of several that may be added up.
    Additive = "additive",
    /// The algorithm of a search.
    Algorithm = "algorithm",
    /// The number of solutions of least cost that are listed.
    All = "all",
    /// Whether walks, or exported rules, lead backward.
    Backward = "backward",
    /// The first bound of branch and bound.
    CostBound = "cost_bound",
    /// Which nodes are left out because they repeat a state.
    Cycles = "cycles",
    /// The depth of a tree or of a search.
    Depth = "depth",
    /// The folder for states that don't fit in memory.
    Disk = "disk",
    /// The bytes that these states may take.
    DiskMemory = "disk_memory",
    /// Whether impossible successions are don't-cares.
    DontCares = "dont_cares",
    /// Whether sequences that fail are left out of a machine for another game.
    DropFailing = "drop_failing",
    /// Whether tables are looked up for duals of states as well.
    Duals = "duals",
    /// The game that a machine was made for.
    Game = "game",
    /// The state to which the learner applies operators.
    GenericStart = "generic_start",
    /// A goal in place of those of the game.
    Goal = "goal",
    /// What symmetries map whose images of the goals count.
    GoalSymmetries = "goal_symmetries",
    /// The growth of bounds.
    Growth = "growth",
    /// The heuristic of a search.
    Heuristic = "heuristic",
    /// The bytes that tables may take.
    HeuristicMemory = "heuristic_memory",
    /// The format of the lines of an instance file.
    InstanceFormat = "instance_format",
    /// A file of start states.
    Instances = "instances",
    /// The assumptions about the states of a search.
    Invariants = "invariants",
    /// The layout of states as boards.
    Layout = "layout",
    /// The letters of sequences: rules, or labels of rules.
    Letters = "letters",
    /// The machine that is built or used.
    Machine = "machine",
    /// The meaning of a word in states.
    Map = "map",
    /// The length of the longest sequences that are compared.
    MaxLength = "max_length",
    /// The bytes that may be held.
    Memory = "memory",
    /// How redundant sequences are found.
    Method = "method",
    /// The number of images of a state for which tables are looked up as well.
    Mirrored = "mirrored",
    /// The order in which operators are compared.
    OperatorOrder = "operator_order",
    /// The order of words, within which replacements come first.
    Order = "order",
    /// Whether only moves back to the parent are pruned.
    Parent = "parent",
    /// The cost within which states around the goals are found before the search.
    Perimeter = "perimeter",
    /// The number of moves to look ahead.
    Ply = "ply",
    /// The pruning of a search.
    Prune = "prune",
    /// The order in which rules are compared.
    RuleOrder = "rule_order",
    /// The labels of the rules that a game keeps.
    Rules = "rules",
    /// The aim of searches: all states, or a goal.
    SearchFor = "search_for",
    /// Whether a machine is multiplied with that of sleep sets.
    SleepSets = "sleep_sets",
    /// Which rules are split by values.
    Split = "split",
    /// The state to start from.
    Start = "start",
    /// The bytes of a transposition table.
    Table = "table",
    /// How ties between states of one rank are broken.
    Ties = "ties",
    /// The time that something may take.
    Time = "time",
    /// The variable that says whose turn it is.
    Turn = "turn",
    /// The labels of moves that are followed beyond the look-ahead.
    Unquiet = "unquiet",
    /// The weight of the estimate.
    Weight = "weight",
    /// The number of states that a beam keeps.
    Width = "width",
}

impl Parameter {
    /// Return the parameter set to a value.
    pub fn is(self, value: impl fmt::Display) -> Setting {
        Setting {
            parameter: self,
            value: Some(value.to_string()),
        }
    }
}

macro_rules! tasks {
    ($($(#[$doc:meta])* $variant:ident = $phrase:literal,)*) => {
        /// A task that messages refer to.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Task {
            $($(#[$doc])* $variant,)*
        }

        impl Task {
            /// All tasks.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// Return the subject that does the task in this library, as the beginning of a clause.
            pub fn phrase(self) -> &'static str {
                match self {
                    $(Self::$variant => $phrase,)*
                }
            }
        }
    };
}

tasks! {
    /// List the built-in games.
    ListBuiltInGames = "`text::built_in_games` lists",
    /// Write a built-in game.
    WriteBuiltInGame = "`Source::built_in`",
    /// Show the warnings about a game.
    CheckGame = "`Source::examine` finds",
    /// List the rules of a game.
    ListRules = "`GameDescription::of` lists",
    /// Analyze a game and write its machine file.
    WriteMachineFile = "`Pruning::analyze` and `MachineFile::to_bytes` write",
    /// Say how large the tables of a pattern are.
    SizeTables = "`PatternTables::sizes` says",
    /// Build a pattern database.
    BuildTables = "`PatternTables::build`",
    /// Build pattern databases that can be added up.
    BuildAdditiveTables = "`PatternTables::build` with `additive` builds",
    /// Build pattern databases that can be added up, and write them to files.
    WriteAdditiveTables = "`PatternTables::build` with `additive`",
    /// Draw a tree of sequences.
    DrawTree = "`draw_tree` draws",
    /// Make the secret of several processes.
    MakeSecret = "`cluster::write_secret` makes",
    /// Measure an experiment.
    Measure = "`experiment::measure`",
    /// Print the result of a search as JSON.
    PrintSolveRecord = "`SolveRecord` serializes to",
}

impl Message {
    /// Append text, a parameter, a setting, a task, or another message.
    pub fn push(&mut self, part: impl Into<Self>) {
        self.parts.append(&mut part.into().parts);
    }

    /// Return the text with a program's terms for settings and tasks.
    pub fn in_terms_of(&self, terms: &dyn Terms) -> String {
        let mut text = String::new();
        for part in &self.parts {
            match part {
                Part::Text(part) => text.push_str(part),
                Part::Setting(setting) => text.push_str(&terms.setting(setting)),
                Part::Option(option) => text.push_str(&terms.option(option)),
                Part::Task(task) => text.push_str(&terms.task(*task)),
            }
        }
        text
    }

    /// Return the settings that it names, in order.
    pub fn settings(&self) -> impl Iterator<Item = &Setting> {
        self.parts.iter().filter_map(|part| match part {
            Part::Setting(setting) => Some(setting),
            Part::Text(_) | Part::Option(_) | Part::Task(_) => None,
        })
    }

    fn of(part: Part) -> Self {
        Self { parts: vec![part] }
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.in_terms_of(&LibraryTerms))
    }
}

impl From<&str> for Message {
    fn from(text: &str) -> Self {
        Self::of(Part::Text(text.to_owned().into()))
    }
}

impl From<&String> for Message {
    fn from(text: &String) -> Self {
        text.as_str().into()
    }
}

impl From<String> for Message {
    fn from(text: String) -> Self {
        Self::of(Part::Text(text.into()))
    }
}

impl From<Parameter> for Message {
    fn from(parameter: Parameter) -> Self {
        Self::of(Part::Setting(Setting {
            parameter,
            value: None,
        }))
    }
}

impl From<Setting> for Message {
    fn from(setting: Setting) -> Self {
        Self::of(Part::Setting(setting))
    }
}

impl From<OptionName> for Message {
    fn from(option: OptionName) -> Self {
        Self::of(Part::Option(option))
    }
}

impl From<Task> for Message {
    fn from(task: Task) -> Self {
        Self::of(Part::Task(task))
    }
}

/// A [`Message`](crate::text::Message) of parts in a row.
#[macro_export]
macro_rules! message {
    ($($part:expr),+ $(,)?) => {{
        let mut message = $crate::text::Message::default();
        $(message.push($part);)+
        message
    }};
}

pub(crate) use crate::message;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_parameters_are_those_of_fields() {
        let mut names: Vec<&str> = Parameter::ALL.iter().map(|it| it.name()).collect();
        assert!(names.is_sorted(), "{names:?}");
        names.dedup();
        assert_eq!(names.len(), Parameter::ALL.len());
        let is_field = |c: char| c.is_ascii_lowercase() || c == '_';
        assert!(names.iter().all(|name| name.chars().all(is_field)));
    }

    #[test]
    fn a_message_is_written_in_the_terms_of_who_shows_it() {
        let text = message![
            "search with `",
            Parameter::Prune.is("none"),
            "`; ",
            Task::ListBuiltInGames,
            " more"
        ];
        assert_eq!(
            text.to_string(),
            "search with `prune: none`; `text::built_in_games` lists more"
        );
        assert_eq!(text.settings().count(), 1);
    }
}
