//! The short help: the options that most people need, each on one line.

use clap::Arg;

/// The room for a description beside its option.
const ROOM: usize = 46;

/// The most options that a command lists in its short help without a choice.
const FEW: usize = 7;

/// The options that the short help lists, for commands that have more than a few.
const MAIN: &[(&str, &[&str])] = &[
    ("abstract", &["abstraction", "pattern", "output", "block"]),
    ("analyze", &["max_length", "time", "words", "output"]),
    ("apply", &["start", "boards", "output", "layout"]),
    (
        "check-plan",
        &["start", "instances", "optimal", "show_states"],
    ),
    ("experiment", &["preset", "list", "quick", "output"]),
    ("export", &["start", "max_length", "output"]),
    (
        "explore",
        &["start", "depth", "symmetries", "disk", "output"],
    ),
    ("fsm", &["words", "table", "output", "game"]),
    ("gen-instances", &["count", "steps", "start", "output"]),
    ("pdb", &["pattern", "additive", "output", "summary", "size"]),
    ("play", &["start", "depth", "against", "tree", "solve"]),
    (
        "solve",
        &[
            "start",
            "scramble",
            "instances",
            "algorithm",
            "heuristic",
            "time",
        ],
    ),
    ("transfer", &["output", "drop", "invariants"]),
    ("tree", &["depth", "prune", "output", "time"]),
    ("verify", &["certificate", "time", "memory"]),
];

/// Whether the short help of a command lists one of its own options.
pub(super) fn is_main(command: &str, option: &str, n_options: usize) -> bool {
    match MAIN.iter().find(|(name, _)| *name == command) {
        Some((_, main)) => main.contains(&option),
        None => command != "psvn" && n_options <= FEW,
    }
}

/// Give an option its short description: the first clause of the long one.
pub(super) fn describe(arg: Arg) -> Arg {
    let text = arg.get_long_help().or_else(|| arg.get_help());
    let Some(text) = text.map(ToString::to_string) else {
        return arg;
    };
    let short = first_clause(&text).to_owned();
    arg.help(short).long_help(text)
}

/// The short form of a description: a sentence, or the clause before a semicolon, a colon or a
/// comma.
fn first_clause(text: &str) -> &str {
    let mut short = text;
    for end in [". ", "; ", ": ", ", "] {
        if short.chars().count() <= ROOM {
            break;
        }
        // A part of a few characters says nothing.
        short = short.split_once(end).map_or(
            short,
            |(first, _)| if first.len() < 8 { short } else { first },
        );
    }
    short
}
