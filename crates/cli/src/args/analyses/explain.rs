//! The arguments of `psvn explain`.

use std::path::PathBuf;

use clap::Args;
use psvn::analysis::{Letters, OperatorOrder};
use psvn::text::Choice;

use crate::args::choice::choice;
use crate::args::shared::{AnalysisLimits, FILE_HELP, RULE_HELP};

#[derive(Args, Debug)]
#[command(after_help = "\
Analyzes sequences up to the length of the given one, or shorter ones if they already show a
redundant part. If the sequence isn't redundant, shows the sequence that comes closest to replacing
it, and why it doesn't.

Examples:
  psvn explain gen:arrow:6 R4-00 R1-11
  psvn explain gen:sliding-tiles:3:3 R#1 L#1 --trace
  psvn explain gen:arrow:6 R4-00 R1-11 --machine arrow.fsm
  psvn explain gen:sliding-tiles:3:3 --operators labels R L")]
pub(crate) struct ExplainArgs {
    #[arg(help = FILE_HELP)]
    pub(crate) file: PathBuf,
    #[arg(required = true, value_name = "RULE", help = RULE_HELP)]
    pub(crate) rules: Vec<String>,
    /// The letters of the sequence: single rules, or labels, each for all rules that have it. With
    /// labels, the invariants of the goal are assumed, as in `psvn analyze`
    #[arg(
        long,
        value_parser = choice::<Letters>(),
        default_value = Letters::default().name(),
        hide_possible_values = true,
        value_name = "rules|labels"
    )]
    pub(crate) operators: Letters,
    /// With labels: the order in which operators are compared, `file` (that of their first rules),
    /// `alphabetic`, or a list of labels with commas between them
    #[arg(long, value_name = "ORDER")]
    pub(crate) operator_order: Option<OperatorOrder>,
    /// Show how both sequences are composed, rule by rule
    #[arg(long)]
    pub(crate) trace: bool,
    /// Show how this machine reads the sequence, and where it forbids it
    #[arg(short, long, value_name = "FILE.fsm")]
    pub(crate) machine: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) limits: AnalysisLimits,
}
