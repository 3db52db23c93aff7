//! The arguments of `psvn transfer`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use psvn::analysis::{Assume, MachineKind};
use psvn::text::Choice;
use psvn::text::units::{parse_bytes, parse_duration};

use crate::args::choice::choice;
use crate::args::shared::FILE_HELP;

#[derive(Args, Debug)]
#[command(after_help = "\
Letters are matched by the labels of rules. A redundant sequence of labels stands for sequences of
rules in the other game; the code of `psvn verify` proves that each of these has a replacement. So the
new machine is as safe as one made for that game. If a sequence fails, nothing is written and the exit
status is 1. Sequences that are impossible in the other game are kept; --drop-impossible leaves them
out.

Examples:
  rest=$(printf -- '- %.0s' {1..24})
  psvn analyze gen:sliding-tiles:7:7 -L 10 --method learner \\
      --operator-order U,R,D,L --generic-start \"$rest 0 $rest\" -o 7x7.fsm
  psvn transfer gen:sliding-tiles:7:7 7x7.fsm gen:sliding-tiles:4:4 -o 4x4.fsm
  psvn solve gen:sliding-tiles:4:4 --instances gen:korf15 --prune 4x4.fsm \\
      --heuristic manhattan")]
pub(crate) struct TransferArgs {
    /// The game that the machine was made for
    #[arg(value_name = "FROM")]
    pub(crate) from: PathBuf,
    /// Machine file that `psvn analyze -o` wrote, over labels, or over rules that all have labels
    /// of their own
    #[arg(value_name = "FILE.fsm")]
    pub(crate) machine: PathBuf,
    #[arg(value_name = "TO", help = FILE_HELP)]
    pub(crate) to: PathBuf,
    /// Write the machine for the other game to this file
    #[arg(short, long, value_name = "FILE.fsm")]
    pub(crate) output: Option<PathBuf>,
    /// Leave out sequences that fail, and build the machine from the others
    #[arg(long)]
    pub(crate) drop: bool,
    /// Leave out sequences that are impossible in the other game: the machine is smaller, and
    /// searches count the same nodes
    #[arg(long)]
    pub(crate) drop_impossible: bool,
    /// What to assume of states of the other game: the invariants of the states reachable from a
    /// goal, or from the given start, or nothing
    #[arg(
        long,
        value_parser = choice::<Assume>(),
        hide_possible_values = true,
        value_name = "goal|start|none"
    )]
    pub(crate) invariants: Option<Assume>,
    /// A state of the other game whose invariants are assumed
    #[arg(long, value_name = "STATE", allow_hyphen_values = true)]
    pub(crate) start: Option<String>,
    /// Which machine to build
    #[arg(
        long = "machine",
        value_parser = choice::<MachineKind>(),
        default_value = MachineKind::default().name(),
        hide_possible_values = true,
        value_name = "aho-corasick|minimized"
    )]
    pub(crate) kind: MachineKind,
    /// Stop after this time, such as 10s or 5m
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub(crate) time: Option<Duration>,
    /// Refuse to build a machine that would take more memory, such as 500M or 2G
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    pub(crate) memory: Option<usize>,
}
