//! What the commands about machine files can be asked.

use std::path::PathBuf;

use clap::Args;
use psvn::machine::LengthRange;

use crate::args::shared::FILE_HELP;

/// Which redundant words are listed.
#[derive(Args, Debug)]
pub(crate) struct WordListArgs {
    /// List the redundant sequences instead: what replaces each and why it comes first, the
    /// macro-rule, and which invariants that rests on; as JSON one object a line
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
The checker shares no code with the analysis: it carries out both sequences of each certificate anew,
compares them, and then makes sure that the machine forbids what is proved redundant and nothing else.
Exits with 1 if anything fails.

Examples:
  psvn analyze gen:hanoi:3:4 --max-length 3 -o hanoi.fsm
  psvn verify gen:hanoi:3:4 hanoi.fsm")]
pub(crate) struct VerifyArgs {
    #[arg(help = FILE_HELP)]
    pub(crate) file: PathBuf,
    /// Machine file that `psvn analyze -o` wrote
    #[arg(value_name = "FILE.fsm")]
    pub(crate) machine: PathBuf,
    /// The machine was made for the rules run backward
    #[arg(long)]
    pub(crate) backward: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  psvn fsm puzzle.fsm
  psvn fsm puzzle.fsm --words --game puzzle.psvn
  psvn fsm puzzle.fsm --words --word-length 3 --word-rule R1 --format csv
  psvn fsm puzzle.fsm --table --game puzzle.psvn
  psvn fsm puzzle.fsm --dot --game puzzle.psvn | dot -Tsvg > puzzle.svg
  psvn fsm small.fsm --svg --game small.psvn > small.svg")]
pub(crate) struct FsmArgs {
    /// Machine file that `psvn analyze -o` wrote
    #[arg(value_name = "FILE.fsm")]
    pub(crate) machine: PathBuf,
    #[command(flatten)]
    pub(crate) words: WordListArgs,
    /// List the transitions: for each state a shortest sequence that leads to it, and the state
    /// behind each rule, or 0 (`.` in text) where the rule is forbidden
    #[arg(long, conflicts_with_all = ["dot", "svg", "words"])]
    pub(crate) table: bool,
    /// Print the machine in the DOT language of Graphviz
    #[arg(long, conflicts_with_all = ["json", "words"])]
    pub(crate) dot: bool,
    /// Draw the machine as SVG, if it is small: states by what they remember, and where there are
    /// many arrows only those that lead elsewhere than from the start
    #[arg(long, conflicts_with_all = ["json", "dot", "words"])]
    pub(crate) svg: bool,
    /// With --svg or --dot: draw the tree of the forbidden words instead
    #[arg(long)]
    pub(crate) trie: bool,
    /// The same as --format json
    #[arg(long)]
    pub(crate) json: bool,
    /// The game that the machine was made for: rules get their names, words their macro-rules, and
    /// the branching factor and pictures take into account which rules can follow which
    #[arg(long, value_name = "FILE")]
    pub(crate) game: Option<PathBuf>,
}
