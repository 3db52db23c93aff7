//! The options of a method, read as those of its command are read on the command line.

use std::ffi::OsString;

use clap::{Args, Parser};
use psvn::experiment::{Group, Method, OpeningsOptions, Options, TreeOptions};

use crate::args::{
    AnalyzeArgs, OpeningsAlgorithm, OpeningsArgs, SolveArgs, TreeAssume, TreeMethodArgs,
};
use crate::commands::searches::solve;

#[derive(Parser)]
#[command(no_binary_name = true, disable_help_flag = true, bin_name = "")]
struct Parsed<T: Args> {
    #[command(flatten)]
    args: T,
}

/// Read the options of a group of cells.
pub(super) fn read(group: &Group<'_>) -> Result<Method, String> {
    let limits = group.limits;
    let limit = |name: &str, value: Option<String>| (name.to_owned(), value);
    let time = limit("time", limits.time.clone());
    let nodes = limit("nodes", limits.nodes.map(|n| n.to_string()));
    let memory = limit("memory", limits.memory.clone());
    // The state is given later, for each cell.
    let start = ["GAME", "--start", ""];
    match group.method.command.as_str() {
        "tree" => {
            let args: TreeMethodArgs = parse(&[], &[time, nodes], group.options)?;
            Ok(Method::Tree(TreeOptions {
                depth: args.depth,
                prune: args.prune,
                within_invariants: args.invariants == TreeAssume::Start,
                split: args.split,
                nodes: args.limits.nodes,
                time: args.limits.time,
            }))
        }
        "analyze" => {
            refuse(group.options, &["output", "start", "instances", "words"])?;
            let args: AnalyzeArgs = parse(&start[..1], &[time, memory], group.options)?;
            Ok(Method::Analyze(Box::new(args.pruning())))
        }
        "openings" => {
            let args: OpeningsArgs = parse(&[], &[time, nodes], group.options)?;
            if args.moves == 0 {
                return Err("an opening has at least one move".to_owned());
            }
            Ok(Method::Openings(OpeningsOptions {
                moves: args.moves,
                depth: args.depth,
                algorithm: match args.algorithm {
                    OpeningsAlgorithm::Minimax => psvn::experiment::OpeningsAlgorithm::Minimax,
                    OpeningsAlgorithm::AlphaBeta => psvn::experiment::OpeningsAlgorithm::AlphaBeta,
                },
                nodes: args.limits.nodes,
                time: args.limits.time,
            }))
        }
        _ => {
            let of_experiments = [
                "start",
                "instances",
                "show-states",
                "boards",
                "scramble",
                "animate",
                "output",
                "layout",
            ];
            refuse(group.options, &of_experiments)?;
            let args: SolveArgs = parse(&start, &[time, nodes, memory], group.options)?;
            solve::check(&args).map_err(|failure| failure.on_one_line())?;
            Ok(Method::Solve {
                options: Box::new(args.options()),
                search_anyway: args.search_anyway,
            })
        }
    }
}

/// Refuse options that an experiment sets by itself.
fn refuse(options: &Options, names: &[&str]) -> Result<(), String> {
    match names.iter().find(|name| options.contains_key(**name)) {
        Some(name) => Err(format!("`{name}` isn't an option of methods")),
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
        // A method's own options take precedence.
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

/// The error, without a usage line, since there is no command line.
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
