//! The arguments of the commands that show a game and its rules.

use std::path::PathBuf;

use clap::Args;

use crate::args::shared::{FILE_HELP, RULE_HELP, WorkLimits};

#[derive(Args, Debug)]
#[command(after_help = "\
Rules are shown as in Burch & Holte 2011: <preconditions> -> <actions>, where x3 is the value that
position 3 has before the rule is applied.

Examples:
  psvn show gen:ghi
  psvn show gen:blocks:10 --all
  psvn show gen:gripper:3 --machine gripper.fsm
  psvn show --format json gen:hanoi:3:3 | jq '.rules[].name'")]
pub(crate) struct ShowArgs {
    #[arg(help = FILE_HELP)]
    pub(crate) file: PathBuf,
    /// Show all rules and values, however many there are
    #[arg(long)]
    pub(crate) all: bool,
    /// Show which rules this machine splits by values, why, and which parts are redundant
    #[arg(short, long, value_name = "FILE.fsm")]
    pub(crate) machine: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) limits: WorkLimits,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Exits with 1 if the sequence can't be carried out from any state.

Examples:
  psvn compose gen:arrow:4 R1-00 R2-10
  psvn compose gen:sliding-tiles:2:2 rule_1 rule_3 --trace")]
pub(crate) struct ComposeArgs {
    #[arg(help = FILE_HELP)]
    pub(crate) file: PathBuf,
    #[arg(required = true, value_name = "RULE", help = RULE_HELP)]
    pub(crate) rules: Vec<String>,
    /// Show, for each rule and position, which subcase of the paper applied and what it replaced
    #[arg(long)]
    pub(crate) trace: bool,
    #[command(flatten)]
    pub(crate) limits: WorkLimits,
}
