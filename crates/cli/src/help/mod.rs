//! The arrangement of help texts: examples first, few options with `-h` and all with `--help`.
//!
//! `args` has the options, each with a description and notes. The short texts are derived here, so
//! that nothing is written twice: the first clause of an option, the first examples.

mod notes;
mod short;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Arg, Command, ValueEnum};

use self::notes::Notes;
pub(crate) use self::notes::{Block, blocks};
use crate::args;
use crate::output::FormatChoice;

/// Examples before usage and options, notes after them.
const TEMPLATE: &str =
    "{about-with-newline}\n{before-help}{usage-heading} {usage}\n\n{all-args}{after-help}";

/// The number of examples that `-h` shows.
const EXAMPLES_IN_SHORT: usize = 2;

/// The command line with its help.
pub(crate) fn command() -> Command {
    let root = args::command();
    let common: Vec<Arg> = root.get_arguments().cloned().collect();
    let names: Vec<String> = root
        .get_subcommands()
        .map(|command| command.get_name().to_owned())
        .collect();
    let mut root = arranged(root.mut_args(|arg| arg.hide_short_help(true)));
    for name in names {
        root = root.mut_subcommand(name, |command| with_common(arranged(command), &common));
    }
    // The last line of the short help names `psvn help`, so the list needn't.
    root.build();
    root.mut_subcommand("help", |command| command.hide(true))
}

/// A command with its texts in order.
fn arranged(command: Command) -> Command {
    let name = command.get_name().to_owned();
    let text = command.get_after_help().map(ToString::to_string);
    let notes = Notes::read(&text.unwrap_or_default());
    let n_options = command
        .get_arguments()
        .filter(|arg| !arg.is_positional() && !arg.is_hide_set())
        .count();
    let command = command.help_template(TEMPLATE).mut_args(|arg| {
        let is_main =
            arg.is_positional() || short::is_main(&name, arg.get_id().as_str(), n_options);
        short::describe(arg).hide_short_help(!is_main)
    });
    let long = notes.examples(usize::MAX);
    // The list of commands leaves room for one.
    let n_in_short = if name == "psvn" { 1 } else { EXAMPLES_IN_SHORT };
    let command = if long.is_empty() {
        command
    } else {
        command
            .before_help(notes.examples(n_in_short))
            .before_long_help(long)
    };
    // After the options of the short form: how to get the long one.
    let more = match name.as_str() {
        "psvn" => "`psvn help COMMAND` and `psvn --help` say more.".to_owned(),
        _ => format!("`psvn {name} --help` has all options, with more explanation."),
    };
    command.after_help(more).after_long_help(notes.rest())
}

/// A command with the options that all commands understand. Those that do nothing for it are
/// accepted, but not listed.
fn with_common(command: Command, common: &[Arg]) -> Command {
    let name = command.get_name().to_owned();
    let mut command = command;
    for arg in common {
        let id = arg.get_id().as_str();
        let mut arg = short::describe(arg.clone()).hide_short_help(true);
        if id == "format" {
            let (forms, names) = FormatChoice::of_command(&name);
            arg = arg.value_name(names).value_parser(choice_among(forms));
        }
        if is_of_no_use(&name, id) {
            arg = arg.hide(true);
        }
        command = command.arg(arg);
    }
    command
}

/// Read one of some forms of data.
fn choice_among(forms: &'static [FormatChoice]) -> impl TypedValueParser<Value = FormatChoice> {
    PossibleValuesParser::new(forms.iter().map(|form| form.name()))
        .try_map(|name| FormatChoice::from_str(&name, false))
}

/// Whether an option that all commands understand does nothing for this one.
fn is_of_no_use(command: &str, option: &str) -> bool {
    /// Those that print a text and nothing else.
    const TEXTS: [&str; 12] = [
        "abstract",
        "complete",
        "completions",
        "demo",
        "export",
        "fmt",
        "import",
        "lsp",
        "man",
        "new",
        "secret",
        "studio",
    ];
    /// Those that neither analyze nor search.
    const QUICK: [&str; 18] = [
        "abstract",
        "apply",
        "cache",
        "check",
        "check-plan",
        "complete",
        "completions",
        "compose",
        "fmt",
        "gen",
        "gen-instances",
        "import",
        "lsp",
        "man",
        "new",
        "report",
        "secret",
        "show",
    ];
    match option {
        "format" => TEXTS.contains(&command),
        "threads" | "no_cache" | "progress" => QUICK.contains(&command),
        "seed" => command != "gen-instances" && QUICK.contains(&command),
        _ => false,
    }
}
