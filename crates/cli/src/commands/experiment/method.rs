//! The options of a method, read as those of its command are read on the command line.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser};
use experiment::{Group, Options};

use crate::args::{AnalyzeArgs, OpeningsArgs, SolveArgs, TreeMethodArgs};
use psvn::solve::PruneSpec;

/// A method that can be run.
pub(super) enum Method {
    /// Looks for a solution.
    Solve(Box<SolveArgs>),
    /// Counts a tree.
    Tree(TreeMethodArgs),
    /// Looks for redundant words.
    Analyze(Box<AnalyzeArgs>),
    /// Looks ahead after all openings of a game of two players.
    Openings(OpeningsArgs),
}

#[derive(Parser)]
#[command(no_binary_name = true, disable_help_flag = true, bin_name = "")]
struct Parsed<T: Args> {
    #[command(flatten)]
    args: T,
}

/// Whether a command takes instances.
pub(super) fn takes_instances(command: &str) -> Result<bool, String> {
    match command {
        "solve" | "tree" => Ok(true),
        "analyze" | "openings" => Ok(false),
        other => Err(format!(
            "there is no command `{other}`: there are solve, tree, analyze and openings"
        )),
    }
}

impl Method {
    /// Reads the options of a group of cells.
    pub(super) fn of(group: &Group<'_>) -> Result<Self, String> {
        let limits = group.limits;
        let limit = |name: &str, value: Option<String>| (name.to_owned(), value);
        let time = limit("time", limits.time.clone());
        let nodes = limit("nodes", limits.nodes.map(|n| n.to_string()));
        let memory = limit("memory", limits.memory.clone());
        // The state is given later, for each cell.
        let start = ["GAME", "--start", ""];
        match group.method.command.as_str() {
            "tree" => parse(&[], &[time, nodes], group.options).map(Method::Tree),
            "analyze" => {
                refuse(group.options, &["output", "start", "instances"])?;
                parse(&start[..1], &[time, memory], group.options)
                    .map(|args| Method::Analyze(Box::new(args)))
            }
            "openings" => {
                let args: OpeningsArgs = parse(&[], &[time, nodes], group.options)?;
                if args.moves == 0 {
                    return Err("an opening has at least one move".to_owned());
                }
                Ok(Method::Openings(args))
            }
            _ => {
                refuse(
                    group.options,
                    &[
                        "start",
                        "instances",
                        "show-states",
                        "boards",
                        "animate",
                        "layout",
                    ],
                )?;
                parse(&start, &[time, nodes, memory], group.options)
                    .map(|args| Method::Solve(Box::new(args)))
            }
        }
    }
}

impl Method {
    /// The files that its options name.
    pub(super) fn files(&self) -> Vec<PathBuf> {
        let mut files = Vec::new();
        match self {
            Method::Solve(args) => {
                if let Some(PruneSpec::File(path)) = &args.prune {
                    files.push(path.clone());
                }
                files.extend(args.heuristic.files());
            }
            Method::Tree(args) => {
                if let PruneSpec::File(path) = &args.prune {
                    files.push(path.clone());
                }
            }
            Method::Analyze(_) | Method::Openings(_) => {}
        }
        files
    }
}

/// Refuses options that an experiment sets by itself.
fn refuse(options: &Options, names: &[&str]) -> Result<(), String> {
    match names.iter().find(|name| options.contains_key(**name)) {
        Some(name) => Err(format!("`{name}` is no option of methods")),
        None => Ok(()),
    }
}

fn parse<T: Args>(
    front: &[&str],
    limits: &[(String, Option<String>)],
    options: &Options,
) -> Result<T, String> {
    let mut words: Vec<OsString> = front.iter().map(OsString::from).collect();
    for (name, value) in limits {
        // What a method says of itself is nearer.
        if let Some(value) = value.as_ref().filter(|_| !options.contains_key(name)) {
            words.push(format!("--{name}={value}").into());
        }
    }
    for (name, value) in options {
        words.push(match value {
            Some(value) => format!("--{name}={value}").into(),
            None => format!("--{name}").into(),
        });
    }
    Parsed::<T>::try_parse_from(words)
        .map(|parsed| parsed.args)
        .map_err(|error| first_lines(&error))
}

/// What is wrong, without the usage of a command line that nobody has written.
fn first_lines(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let lines: Vec<&str> = text
        .lines()
        .take_while(|line| !line.starts_with("Usage") && !line.starts_with("For more"))
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    lines.join("; ").trim_start_matches("error: ").to_owned()
}
