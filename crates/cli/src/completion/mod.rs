//! Completion of command lines: options, and the values that they take.
//!
//! The shells' scripts ask `psvn complete`, so they offer what this program takes: its games,
//! heuristics and presets, and files by their ending.

mod line;
mod scripts;
mod values;

use clap::{Arg, Command};

pub(crate) use self::line::Line;
pub(crate) use self::scripts::script;

/// A candidate for a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Candidate {
    /// The whole word.
    pub(crate) text: String,
    /// Its meaning, in a few words.
    pub(crate) about: String,
}

impl Candidate {
    fn new(text: impl Into<String>, about: impl AsRef<str>) -> Self {
        Self {
            text: text.into(),
            about: about.as_ref().lines().next().unwrap_or_default().to_owned(),
        }
    }
}

/// The candidates for the last word, in a command that is built. The words begin after the name of
/// the program.
pub(crate) fn candidates(root: &Command, words: &[String]) -> Vec<Candidate> {
    let Some((last, before)) = words.split_last() else {
        return Vec::new();
    };
    let place = Place::behind(root, before);
    let mut found = match place.option {
        Some(arg) => values::of(place.command, arg, last),
        None => place.candidates(last),
    };
    found.retain(|candidate| candidate.text.starts_with(last.as_str()));
    found
}

/// A place on a command line.
struct Place<'c> {
    command: &'c Command,
    /// The option whose value is here.
    option: Option<&'c Arg>,
    n_positionals: usize,
    /// Whether `--` came before, so that nothing is an option.
    is_literal: bool,
}

impl<'c> Place<'c> {
    fn behind(root: &'c Command, words: &[String]) -> Self {
        let mut place = Self {
            command: root,
            option: None,
            n_positionals: 0,
            is_literal: false,
        };
        for word in words {
            place.pass(word);
        }
        place
    }

    fn pass(&mut self, word: &str) {
        if self.option.take().is_some() {
            return;
        }
        if self.is_literal || !word.starts_with('-') || word == "-" {
            match self.command.find_subcommand(word) {
                Some(subcommand) if self.n_positionals == 0 => self.command = subcommand,
                _ => self.n_positionals += 1,
            }
        } else if word == "--" {
            self.is_literal = true;
        } else if let Some(long) = word.strip_prefix("--") {
            self.option = self.option_with(|arg| {
                let aliases = arg.get_all_aliases().unwrap_or_default();
                arg.get_long() == Some(long) || aliases.contains(&long)
            });
        } else if let Some(short) = word.chars().last() {
            self.option = self.option_with(|arg| arg.get_short() == Some(short));
        }
    }

    /// An option that takes a value.
    fn option_with(&self, is_it: impl Fn(&Arg) -> bool) -> Option<&'c Arg> {
        let mut options = self.command.get_arguments();
        options.find(|arg| !arg.is_positional() && is_it(arg) && arg.get_action().takes_values())
    }

    fn candidates(&self, last: &str) -> Vec<Candidate> {
        if !self.is_literal
            && let Some((option, text)) = last.split_once('=')
            && let Some(long) = option.strip_prefix("--")
            && let Some(arg) = self.option_with(|arg| arg.get_long() == Some(long))
        {
            let mut found = values::of(self.command, arg, text);
            for candidate in &mut found {
                candidate.text = format!("{option}={}", candidate.text);
            }
            return found;
        }
        if !self.is_literal && last.starts_with('-') {
            return self.options();
        }
        let mut found = Vec::new();
        if self.n_positionals == 0 {
            let commands = self
                .command
                .get_subcommands()
                .filter(|it| !it.is_hide_set());
            found.extend(commands.map(|command| {
                let about = command.get_about().map(ToString::to_string);
                Candidate::new(command.get_name(), about.unwrap_or_default())
            }));
        }
        let positionals: Vec<&Arg> = self.command.get_positionals().collect();
        let at = self.n_positionals.min(positionals.len().saturating_sub(1));
        if let Some(arg) = positionals.get(at) {
            let is_last = self.n_positionals >= positionals.len();
            let goes_on = arg.get_num_args().is_some_and(|n| n.max_values() > 1);
            if !is_last || goes_on {
                found.extend(values::of(self.command, arg, last));
            }
        }
        found
    }

    fn options(&self) -> Vec<Candidate> {
        let listed = self
            .command
            .get_arguments()
            .filter(|arg| !arg.is_hide_set());
        let named = listed.filter_map(|arg| {
            let about = arg.get_help().map(ToString::to_string);
            let name = format!("--{}", arg.get_long()?);
            Some(Candidate::new(name, about.unwrap_or_default()))
        });
        named.collect()
    }
}
