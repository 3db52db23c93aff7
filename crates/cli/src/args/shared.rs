//! Arguments that several commands take, and how their values are read.

use std::path::Path;
use std::time::Duration;

use clap::Args;
use psvn::text::units::{parse_bytes, parse_duration};
use psvn::{Game, GoalSymmetries, Limits, Variation};

use crate::args::choice::choice;
use crate::args::number::number;
use crate::failure::Failure;

pub(super) const FILE_HELP: &str = "PSVN file, `-` for standard input, or `gen:NAME:ARGS`";
pub(super) const FILES_HELP: &str = "PSVN files, `-` for standard input, or `gen:NAME:ARGS`";

pub(super) const RULE_HELP: &str =
    "Label of a rule, `LABEL#K` for the K-th rule of that label, or `rule_N` for the N-th of all";

/// What each search may use.
#[derive(Args, Debug)]
pub(crate) struct SearchLimits {
    /// Stop each search after this time, such as 10s or 5m
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub(crate) time: Option<Duration>,
    /// Stop each search after this number of generated nodes
    #[arg(long, value_name = "N", value_parser = number::<u64>)]
    pub(crate) nodes: Option<u64>,
}

impl SearchLimits {
    /// Return these limits and one on memory. What interrupts is up to the environment.
    pub(crate) fn with(&self, memory: Option<usize>) -> Limits {
        Limits {
            nodes: self.nodes,
            time: self.time,
            memory,
            interrupt: None,
        }
    }
}

/// What an analysis may use.
#[derive(Args, Debug)]
pub(crate) struct AnalysisLimits {
    /// Stop after this time, such as 10s or 5m, and keep what was found so far; an eighth of it is
    /// for building machines
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub(crate) time: Option<Duration>,
    /// Stop before the analysis uses more memory, such as 500M or 2G, and keep what was found so
    /// far; the program itself takes up to 16 MiB more
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    pub(crate) memory: Option<usize>,
}

impl AnalysisLimits {
    /// Return these limits. What interrupts is up to the environment.
    pub(crate) fn limits(&self) -> Limits {
        Limits {
            time: self.time,
            memory: self.memory,
            ..Limits::default()
        }
    }
}

/// What a command may use that neither analyzes nor searches.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct WorkLimits {
    /// Stop after this time, such as 10s or 5m
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub(crate) time: Option<Duration>,
    /// Read no game that takes more memory, such as 500M or 2G
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    pub(crate) memory: Option<usize>,
}

/// What words in states stand for.
#[derive(Args, Debug)]
pub(crate) struct WordArgs {
    /// Read this word in states as that value, such as 0=b; may be given more than once
    #[arg(long = "map", value_name = "WORD=VALUE", value_parser = parse_pair)]
    pairs: Vec<(String, String)>,
}

impl WordArgs {
    /// Set the spelling of states in a game.
    pub(crate) fn apply(&self, game: &mut Game) -> Result<(), Failure> {
        Ok(game.set_words(self.pairs.iter().cloned())?)
    }
}

/// What is changed in a game that was read.
#[derive(Args, Debug)]
pub(crate) struct VariationArgs {
    /// Aim at this state instead of the goals of the game: its values, with `-` for any value; if
    /// it is given more than once, any of them is a goal
    #[arg(long = "goal", value_name = "STATE", allow_hyphen_values = true)]
    goals: Vec<String>,
    /// Use only the rules with these labels
    #[arg(long, value_name = "LABEL,..", value_delimiter = ',')]
    rules: Vec<String>,
    /// Aim also at the images of the goals under all symmetries of the rules that map positions, as
    /// turns of a board do; or values, as other names do; or both
    #[arg(
        long,
        value_name = "positions|values|all",
        value_parser = choice::<GoalSymmetries>(),
        hide_possible_values = true,
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "positions"
    )]
    goal_symmetries: Option<GoalSymmetries>,
}

impl VariationArgs {
    /// Whether other goals are named.
    pub(crate) fn has_goals(&self) -> bool {
        !self.goals.is_empty() || self.goal_symmetries.is_some()
    }

    /// Change the game.
    pub(crate) fn apply(&self, game: Game) -> Result<Game, Failure> {
        Ok(game.varied(&Variation {
            goals: self.goals.clone(),
            rules: self.rules.clone(),
            goal_symmetries: self.goal_symmetries,
        })?)
    }
}

fn parse_pair(text: &str) -> Result<(String, String), String> {
    let is_word = |text: &str| !text.is_empty() && !text.contains(char::is_whitespace);
    match text.split_once('=') {
        Some((word, value)) if is_word(word) && is_word(value) => {
            Ok((word.to_owned(), value.to_owned()))
        }
        _ => Err("expected a word and a value with `=` between them, such as 0=b".to_owned()),
    }
}

/// The arguments of a command that this program was built without: anything, since the command only
/// says that it is missing.
#[cfg(not(all(
    feature = "cluster",
    feature = "domains",
    feature = "experiments",
    feature = "formats",
    feature = "lsp",
    feature = "players",
    feature = "studio"
)))]
#[derive(Args, Debug)]
pub(crate) struct MissingArgs {
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<std::ffi::OsString>,
}

/// Return whether a file is in PDDL, by its name.
pub(crate) fn is_pddl(file: &Path) -> bool {
    file.extension()
        .is_some_and(|it| it.eq_ignore_ascii_case("pddl"))
}
