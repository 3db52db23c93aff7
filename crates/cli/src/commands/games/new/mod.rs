//! `psvn new`: the beginning of a game or an experiment, for the user to change.

mod board;
mod permutation;
mod planning;

use std::io::{self, BufRead, IsTerminal, Write};
use std::path::Path;

use clap::ValueEnum;

use crate::args::{NewArgs, NewKind};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Format;
use crate::session::Context;

/// The greatest number of rows, columns and things: what is begun is read by people.
const MOST: usize = 20;

pub(crate) fn run(args: &NewArgs, cx: &mut Context) -> Result<Exit, Failure> {
    if cx.format != Format::Text {
        return Err(Failure::usage("`psvn new` prints a text and nothing else"));
    }
    let kind = match args.kind {
        Some(kind) => kind,
        None if io::stdin().is_terminal() => asked()?,
        None => return Err(Failure::usage("what to begin isn't given").hint(kinds())),
    };
    for (option, number) in [
        ("--rows", args.rows),
        ("--columns", args.columns),
        ("--size", args.size),
    ] {
        if !(2..=MOST).contains(&number) {
            return Err(Failure::usage(format!(
                "`{option}` takes a number from 2 to {MOST}"
            )));
        }
    }
    let text = match kind {
        NewKind::Board => board::text(args.rows, args.columns),
        NewKind::Permutation => permutation::text(args.size),
        NewKind::Planning => planning::text(args.size),
        NewKind::Experiment => experiment(&args.game),
    };
    if let Some(path) = args.output.as_deref().filter(|path| path.exists()) {
        let message = format!("{} exists, and is left as it is", path.display());
        return Err(Failure::usage(message).hint("give another name with `-o`"));
    }
    cx.put(args.output.as_deref(), &text)?;
    if let Some(path) = &args.output {
        cx.env.note(next_steps(kind, path));
    }
    Ok(Exit::Done)
}

/// The kinds, each with what it means.
fn kinds() -> String {
    let kinds = described();
    let kinds = kinds.map(|(name, help)| format!("`psvn new {name}`: {}", help.to_lowercase()));
    kinds.collect::<Vec<_>>().join("; ")
}

/// The names of the kinds and what they mean.
fn described() -> impl Iterator<Item = (String, String)> {
    let values = NewKind::value_variants().iter();
    let values = values.filter_map(ValueEnum::to_possible_value);
    values.map(|value| {
        let help = value.get_help().map(ToString::to_string);
        (value.get_name().to_owned(), help.unwrap_or_default())
    })
}

/// Ask what to begin.
fn asked() -> Result<NewKind, Failure> {
    let failed = |error: io::Error| Failure::input(format!("no answer can be read: {error}"));
    let mut err = io::stderr();
    for (number, (_, help)) in (1..).zip(described()) {
        writeln!(err, "{number}  {help}").map_err(failed)?;
    }
    write!(err, "What do you want to begin? ").map_err(failed)?;
    err.flush().map_err(failed)?;
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line).map_err(failed)?;
    let said = line.trim();
    let number = said.parse::<usize>().ok().and_then(|it| it.checked_sub(1));
    let kind = match number {
        Some(number) => NewKind::value_variants().get(number).copied(),
        None => NewKind::from_str(said, true).ok(),
    };
    kind.ok_or_else(|| Failure::usage(format!("`{said}` is none of these")).hint(kinds()))
}

/// What to do with the file.
fn next_steps(kind: NewKind, path: &Path) -> String {
    let path = path.display();
    match kind {
        NewKind::Experiment => format!("next: psvn experiment {path}"),
        NewKind::Board => format!("next: psvn check {path}, and psvn solve {path} --boards"),
        _ => format!("next: psvn check {path}, and psvn solve {path}"),
    }
}

/// The beginning of an experiment.
fn experiment(game: &str) -> String {
    let file = game.replace('\\', "\\\\").replace('"', "\\\"");
    format!(
        r#"# Methods compared on starts of a game. `psvn experiment THIS.toml` measures, goes on where it
# stopped, and leaves a file of results; `psvn report` shows it.
title = "My game"
description = "What pruning and a heuristic save."

[limits]
time = "10s"

[[domain]]
name = "my game"
file = "{file}"
# Starts at the ends of random walks from the goal. A file of starts: instances = ["starts.txt"]
instances = [{{ walks = 10, steps = 20, seed = 1 }}]

[[method]]
name = "IDA*, nothing pruned"
prune = "none"
heuristic = "zero"

[[method]]
name = "IDA*"
heuristic = "zero"

[[method]]
name = "IDA*, auto"
heuristic = "auto"

[[method]]
name = "A*, auto"
algorithm = "astar"
heuristic = "auto"
"#
    )
}
