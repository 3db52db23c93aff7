//! The arguments of the commands about machine files.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use psvn::machine::LengthRange;
use psvn::text::units::parse_duration;

use crate::args::shared::{FILE_HELP, VariationArgs, WorkLimits};

/// Which redundant words are listed.
#[derive(Args, Debug)]
pub(crate) struct WordListArgs {
    /// List the redundant sequences instead, each with its replacement and why that comes first,
    /// its macro-rule, and the invariants that the proof needs; as JSON, one object per line
    #[arg(long)]
    pub(crate) words: bool,
    /// With --words: only those of this length, or of lengths such as 2-4 or 3-
    #[arg(
        long,
        value_name = "N[-M]",
        requires = "words",
        allow_hyphen_values = true
    )]
    pub(crate) word_length: Option<LengthRange>,
    /// With --words: only those that contain this rule, or label where labels are operators; may be
    /// given several times
    #[arg(long, value_name = "RULE", requires = "words")]
    pub(crate) word_rule: Vec<String>,
}

#[derive(Args, Debug)]
#[command(after_help = "\
The checker shares no code with the analysis. It carries out both sequences of each certificate,
compares them, and then checks that the machine forbids what is proved redundant, and nothing else.
Exits with 1 if anything fails.

Examples:
  psvn analyze gen:hanoi:3:4 --max-length 3 -o hanoi.fsm
  psvn verify gen:hanoi:3:4 hanoi.fsm
  psvn verify gen:hanoi:3:4 hanoi.fsm --certificate hanoi.cert
  proofs/build/psvn-verified hanoi.cert    # the checker that is proved correct")]
pub(crate) struct VerifyArgs {
    #[arg(help = FILE_HELP)]
    pub(crate) file: PathBuf,
    /// Machine file that `psvn analyze -o` wrote
    #[arg(value_name = "FILE.fsm")]
    pub(crate) machine: PathBuf,
    /// The machine was made for the rules run backward
    #[arg(long)]
    pub(crate) backward: bool,
    #[command(flatten)]
    pub(crate) variation: VariationArgs,
    /// Write the claims as a certificate, which the checker that is proved correct reads as well
    #[arg(long, value_name = "FILE")]
    pub(crate) certificate: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) limits: WorkLimits,
}

#[derive(Args, Debug)]
#[command(after_help = "\
A certificate holds its game and its start, and proves that a plan has a cost, that no plan costs
less, or that there is no plan. The checker shares no code with searches. Exits with 1 if the
certificate doesn't prove its claim, and with 3 if the file isn't a certificate.

Examples:
  psvn solve gen:pancake:6 --start '5 2 1 4 6 3' --certificate cost.cert
  psvn certify cost.cert
  psvn certify cost.cert --game gen:pancake:6
  proofs/build/psvn-verified cost.cert    # the checker that is proved correct
  psvn certify cost.cert --veripb cost    # and a checker by others:
  veripb cost.opb cost.pbp")]
pub(crate) struct CertifyArgs {
    /// Certificate that `psvn solve --certificate` wrote
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The game that it must be about. Without this, it is about the one that it holds
    #[arg(long, value_name = "FILE")]
    pub(crate) game: Option<PathBuf>,
    /// Also write NAME.opb and NAME.pbp, the lower bound as a formula and its proof, for the
    /// checker VeriPB
    #[arg(long, value_name = "NAME")]
    pub(crate) veripb: Option<PathBuf>,
    /// Stop after this time, such as 10s or 5m
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub(crate) time: Option<Duration>,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  psvn fsm puzzle.fsm
  psvn fsm puzzle.fsm --words --game puzzle.psvn
  psvn fsm puzzle.fsm --words --word-length 3 --word-rule R1 --format csv
  psvn fsm puzzle.fsm --table --game puzzle.psvn
  psvn fsm small.fsm --game small.psvn -o small.svg
  psvn fsm puzzle.fsm --game puzzle.psvn --trie -o words.svg
  psvn fsm puzzle.fsm --game puzzle.psvn --dot | dot -Tpng > puzzle.png")]
pub(crate) struct FsmArgs {
    /// Machine file that `psvn analyze -o` wrote
    #[arg(value_name = "FILE.fsm")]
    pub(crate) machine: PathBuf,
    #[command(flatten)]
    pub(crate) words: WordListArgs,
    /// List the transitions: for each state a shortest sequence that leads to it, and the next
    /// state after each rule, or 0 (`.` in text) where the rule is forbidden
    #[arg(long, conflicts_with_all = ["dot", "svg", "words"])]
    pub(crate) table: bool,
    /// Print the machine in the DOT language of Graphviz
    #[arg(long, conflicts_with_all = ["json", "words"], help_heading = "Pictures")]
    pub(crate) dot: bool,
    /// Print the machine as SVG
    #[arg(long, conflicts_with_all = ["json", "dot", "words"], help_heading = "Pictures")]
    pub(crate) svg: bool,
    /// Draw the machine to this file. SVG is for small machines: states are named by the rules that
    /// they remember, and where there are many arrows, only those are drawn that lead elsewhere
    /// than from the start. DOT is for Graphviz, and machines of any size
    #[arg(
        short,
        long,
        value_name = "FILE.svg|FILE.dot",
        conflicts_with_all = ["json", "dot", "svg", "words", "table"],
        help_heading = "Pictures"
    )]
    pub(crate) output: Option<PathBuf>,
    /// Draw the tree of the forbidden words instead of the machine
    #[arg(long, help_heading = "Pictures")]
    pub(crate) trie: bool,
    /// The same as --format json
    #[arg(long)]
    pub(crate) json: bool,
    /// The game that the machine was made for. It gives rules their names and words their
    /// macro-rules; the branching factor and pictures then leave out rules that can't follow each
    /// other
    #[arg(long, value_name = "FILE")]
    pub(crate) game: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) limits: WorkLimits,
}
