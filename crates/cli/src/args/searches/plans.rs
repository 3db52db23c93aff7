//! The arguments of the commands about instances and solutions.

use std::path::PathBuf;

use clap::Args;
use psvn::instance::InstanceFormat;
use psvn::text::Choice;

use crate::args::choice::choice;
use crate::args::number::number;
use crate::args::shared::{FILE_HELP, VariationArgs, WordArgs, WorkLimits};

#[derive(Args, Debug)]
#[command(after_help = "\
PLAN is what `psvn solve --format json` prints, or a text: the moves of one plan, as labels or
rule_N, or one plan on each line after the instance's name and a colon. `#` or `;` begins a comment.
Plans of planners are such texts, too: `(pick ball a)` is the operator's label `pick(ball,a)`, and
`; cost = 5` ends a plan and states its cost. Their steps may be numbered from 0, as in
`0: (pick ball a)`. Where several rules share a label, a plan of labels is correct if it can be
carried out with some choice of rules.

The moves are made by the rules as written, not by what searches compile from them. Without a start,
the start in the JSON record is used, or the one in the table of optima, or the game's own.

Exits with 1 if a plan can't be carried out, doesn't end in a goal state, claims a wrong cost, or
differs from the known least cost.

Examples:
  psvn solve gen:pancake:4 --start '2 4 1 3' --format json | \\
      psvn check-plan gen:pancake:4 -
  psvn check-plan gen:pancake:4 plan.txt --start '2 4 1 3' --show-states
  psvn check-plan fifteen.psvn answers.jsonl --optimal korf100.txt")]
pub(crate) struct CheckPlanArgs {
    #[arg(help = FILE_HELP)]
    pub(crate) file: PathBuf,
    /// The plans: what `psvn solve --format json` prints, or labels; `-` for standard input
    pub(crate) plan: PathBuf,
    /// The start state of the plan: values separated by white space, or a start that the game
    /// declares, such as `usual`
    #[arg(
        long,
        value_name = "STATE",
        allow_hyphen_values = true,
        conflicts_with = "instances"
    )]
    pub(crate) start: Option<String>,
    /// A file of start states, by name, as for `psvn solve`
    #[arg(long, value_name = "FILE")]
    pub(crate) instances: Option<PathBuf>,
    /// An instance file with known least costs, to compare with
    #[arg(long, value_name = "FILE")]
    pub(crate) optimal: Option<PathBuf>,
    /// The form of the lines in instance files: `ID: STATE = COST`, Korf's (ID COST NODES.. STATE),
    /// or scrambles (ID: MOVES = COST)
    #[arg(
        long,
        value_parser = choice::<InstanceFormat>(),
        default_value = InstanceFormat::default().name(),
        hide_possible_values = true,
        value_name = "auto|plain|korf|scrambles"
    )]
    pub(crate) instance_format: InstanceFormat,
    #[command(flatten)]
    pub(crate) variation: VariationArgs,
    #[command(flatten)]
    pub(crate) words: WordArgs,
    /// Print each state on the way
    #[arg(long)]
    pub(crate) show_states: bool,
    #[command(flatten)]
    pub(crate) limits: WorkLimits,
}

#[derive(Args, Debug)]
#[command(after_help = "\
A move is a label, or a name that the game declares by `# alias: NAME = MOVES`. If no label ends in
a number or `'`, a number repeats a move and `'` (or `-`) undoes it, as in \"R U2 F'\".

The start is a state, or the name of a state that the game declares by `# start NAME: STATE`; without
--start, it is the goal.

Examples:
  psvn apply gen:rubik:3 --boards \"R U2 F'\"
  psvn apply gen:hanoi:4:5 --start usual --boards d1:1-2 d2:1-3
  psvn apply gen:sliding-tiles:3:3 R D L U -o moves.svg
  psvn apply gen:rubik:2:fixed \"R U2 F'\" --format json")]
pub(crate) struct ApplyArgs {
    #[arg(help = FILE_HELP)]
    pub(crate) file: PathBuf,
    /// The moves: labels, such as R U2 F'
    #[arg(value_name = "MOVES")]
    pub(crate) moves: Vec<String>,
    /// The state to begin with; without it, the goal
    #[arg(long, value_name = "STATE", allow_hyphen_values = true)]
    pub(crate) start: Option<String>,
    #[command(flatten)]
    pub(crate) words: WordArgs,
    /// Print each state as a board
    #[arg(long)]
    pub(crate) boards: bool,
    /// Write the moves to this file, as an animated picture
    #[arg(short, long, value_name = "FILE.svg")]
    pub(crate) output: Option<PathBuf>,
    /// How to draw states as boards, if the game has no layout
    #[arg(long, value_name = "FILE.toml")]
    pub(crate) layout: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) limits: WorkLimits,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Each instance is the end of its own random walk. Each step is one of the rules that apply and don't
lead back to the state before. The same --seed gives the same instances. If rules can't be undone,
use --backward: then each instance has a solution of at most K moves.

Examples:
  psvn gen-instances gen:sliding-tiles:4:4 -n 100 -k 500 --seed 7 -o starts.txt
  psvn gen-instances gen:slide-jump:3:one-way --count 10 --steps 8 --backward")]
pub(crate) struct GenInstancesArgs {
    #[arg(help = FILE_HELP)]
    pub(crate) file: PathBuf,
    /// The number of instances
    #[arg(short = 'n', long, value_name = "N", default_value_t = 10, value_parser = number::<usize>)]
    pub(crate) count: usize,
    /// The number of steps of each walk
    #[arg(short = 'k', long, value_name = "K", default_value_t = 100, value_parser = number::<u64>)]
    pub(crate) steps: u64,
    /// Where walks begin; without it, the goal
    #[arg(long, value_name = "STATE", allow_hyphen_values = true)]
    pub(crate) start: Option<String>,
    /// Run the rules backward
    #[arg(long)]
    pub(crate) backward: bool,
    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) limits: WorkLimits,
}
