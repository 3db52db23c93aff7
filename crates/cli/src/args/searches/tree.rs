//! The arguments of `psvn tree`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use psvn::analysis::SplitChoice;
use psvn::solve::PruneSpec;
use psvn::text::units::parse_bytes;

use crate::args::UnitsArgs;
use crate::args::choice::choice;
use crate::args::number::number;
use crate::args::shared::{FILE_HELP, SearchLimits, VariationArgs, WordArgs};

#[derive(Args, Debug)]
#[command(after_help = "\
Every sequence of rules is a separate node; the root counts at depth 0.

With --units, the count is split into units of work, files in the folder of -o: `psvn work` counts
one, on any machine, and `psvn join` puts the results together. Depths that take less than
--units-after are counted at once. Exits with 4 if there are units to work on.

Examples:
  psvn tree gen:sliding-tiles:4:4 --prune none,2
  psvn tree puzzle.psvn --prune none,2,puzzle.fsm
  psvn tree gen:topspin:14:3 --prune none,parent,2,3 --depth 6 --format csv
  psvn tree gen:sliding-tiles:2:2 --depth 3 -o tree.svg
  psvn tree gen:rubik:3 --prune 2 --depth 8 --units 20 -o units")]
pub(crate) struct TreeArgs {
    #[arg(help = FILE_HELP)]
    pub(crate) file: PathBuf,
    /// The state at the root: values separated by white space
    #[arg(long, value_name = "STATE", allow_hyphen_values = true)]
    pub(crate) start: Option<String>,
    /// The state at the root as moves from the goal: labels, such as "R U2 F'"
    #[arg(long, value_name = "MOVES", conflicts_with = "start")]
    pub(crate) scramble: Option<String>,
    /// Run the rules backward: the tree is that of a search from the goals
    #[arg(long)]
    pub(crate) backward: bool,
    #[command(flatten)]
    pub(crate) variation: VariationArgs,
    #[command(flatten)]
    pub(crate) words: WordArgs,
    /// The depth to count to
    #[arg(short, long, value_name = "D", default_value_t = 12, value_parser = number::<u64>)]
    pub(crate) depth: u64,
    /// Count the sequences that cost at most C, instead of those down to a depth
    #[arg(long, value_name = "C", conflicts_with = "depth", value_parser = number::<u64>)]
    pub(crate) cost: Option<u64>,
    /// What to prune, one column for each: `none`; redundant sequences up to a length; `parent`,
    /// nodes that equal their grandparent; `path`, nodes that equal any node on their path; or what
    /// a machine file forbids. Without it, `none,2`
    #[arg(
        short,
        long,
        value_name = "none|parent|path|L|FILE.fsm,..",
        value_delimiter = ','
    )]
    pub(crate) prune: Vec<TreePrune>,
    /// Like --prune, for lengths only
    #[arg(
        short = 'L',
        long,
        value_name = "L,L,..",
        value_delimiter = ',',
        value_parser = parse_length,
        hide = true
    )]
    pub(crate) max_length: Vec<usize>,
    /// Compare sequences within the invariants of the state at the root, or in all states, as for
    /// published counts
    #[arg(long, value_name = "ASSUME", value_enum, default_value_t = TreeAssume::Start)]
    pub(crate) invariants: TreeAssume,
    /// One more column: the same as `--prune parent`
    #[arg(long, hide = true)]
    pub(crate) parent: bool,
    /// One more column: the same as `--prune path`
    #[arg(long, hide = true)]
    pub(crate) path: bool,
    /// Split rules by the values of variables in the columns with a length: none, auto where it
    /// pays, or all. The default is auto within the invariants, and none in all states
    #[arg(
        long,
        value_parser = choice::<SplitChoice>(),
        conflicts_with_all = ["svg", "dot"],
        hide_possible_values = true,
        value_name = "none|auto|all"
    )]
    pub(crate) split: Option<SplitChoice>,
    /// Draw the tree to this file instead, as SVG or in the DOT language of Graphviz. Pruned
    /// branches are dashed, with the reason: redundant sequences up to the greatest length, or
    /// parents, or what a machine file forbids. With --units, this is the folder of the units
    #[arg(
        short,
        long,
        value_name = "FILE.svg|FILE.dot|FOLDER",
        conflicts_with_all = ["svg", "dot"],
        help_heading = "Pictures"
    )]
    pub(crate) output: Option<PathBuf>,
    /// Draw the tree to standard output, as SVG
    #[arg(long, conflicts_with = "dot", hide = true)]
    pub(crate) svg: bool,
    /// Draw the tree to standard output, for Graphviz
    #[arg(long, hide = true)]
    pub(crate) dot: bool,
    /// The memory for finding redundant sequences, such as 500M or 2G; when it is full, only
    /// shorter sequences are pruned
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    pub(crate) memory: Option<usize>,
    /// How to draw states as boards, if no comment in the game does: a TOML file with rows and
    /// columns
    #[arg(long, value_name = "FILE.toml", help_heading = "Pictures")]
    pub(crate) layout: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) limits: SearchLimits,
    #[command(flatten)]
    pub(crate) splitting: UnitsArgs,
}

/// Read a length of sequences.
fn parse_length(text: &str) -> Result<usize, String> {
    number(text).map_err(|_| "a length is a number such as 2; several are written 0,2,3".to_owned())
}

/// The pruning of a column of counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TreePrune {
    /// Nodes that equal their grandparent.
    Parent,
    /// Nodes that equal any node on their path.
    Path,
    /// Redundant sequences up to this length; 0 for nothing.
    Length(usize),
    /// What a machine file forbids.
    File(PathBuf),
}

impl std::str::FromStr for TreePrune {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.eq_ignore_ascii_case("path") {
            return Ok(TreePrune::Path);
        }
        match text.parse::<PruneSpec>() {
            Ok(PruneSpec::None) => Ok(TreePrune::Length(0)),
            Ok(PruneSpec::Parent) => Ok(TreePrune::Parent),
            Ok(PruneSpec::Length(length)) => Ok(TreePrune::Length(length)),
            Ok(PruneSpec::File(path)) => Ok(TreePrune::File(path)),
            Ok(PruneSpec::Auto) => Err(
                "`auto` is for searches, which choose a length as they go; a column of a tree has a \
                 length such as 2"
                    .to_owned(),
            ),
            Err(_) => Err("expected `none`, `parent`, `path`, a length such as 2, or a machine file \
                           such as deep.fsm"
                .to_owned()),
        }
    }
}

impl TreePrune {
    /// The name of its column.
    pub(crate) fn name(&self) -> String {
        match self {
            TreePrune::Parent => "parent".to_owned(),
            TreePrune::Path => "path".to_owned(),
            TreePrune::Length(0) => "none".to_owned(),
            TreePrune::Length(length) => length.to_string(),
            TreePrune::File(path) => path.display().to_string(),
        }
    }
}

impl TreeArgs {
    /// The requested columns: those of `--prune` and of its old spellings, or by default nothing
    /// and length 2; `--parent` and `--path` add columns.
    pub(crate) fn columns(&self) -> Vec<TreePrune> {
        let mut columns = self.prune.clone();
        columns.extend(
            self.max_length
                .iter()
                .map(|length| TreePrune::Length(*length)),
        );
        if columns.is_empty() {
            columns = vec![TreePrune::Length(0), TreePrune::Length(2)];
        }
        columns.extend(self.parent.then_some(TreePrune::Parent));
        columns.extend(self.path.then_some(TreePrune::Path));
        columns
    }
}

/// The states in which sequences of a tree are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TreeAssume {
    /// Those that have the invariants of the state at the root
    Start,
    /// All states
    None,
}
