//! The arguments of `psvn pdb`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use psvn::text::units::{parse_bytes, parse_duration};

#[cfg(feature = "cluster")]
use crate::args::ClusterArgs;
use crate::args::shared::{FILE_HELP, VariationArgs};

#[derive(Args, Debug)]
#[command(after_help = "\
A pattern is `keep` and the values to keep (1-6 stands for 1 to 6; all other values of each domain
become one), `project` and the numbers of the variables to keep, or both. `pieces` keeps some of the
pieces that rules always move as a whole, such as edges of a cube: name each by its values in the
goal (w/g), or by a variable where it is in the goal. Each pattern makes a separate table. Without a
pattern, the table is that of the whole game.

`like` and some rules merges positions that these rules exchange, where rules only move values: a
table of coordinates, with two bits for all states that symmetries map to each other. `apart RULES at
VARIABLES` after it: pieces that look like those at the variables look alike only where these rules
exchange them; without rules, they are all told apart.

With --additive, several tables may be added: the cost of each rule is charged to the value that it
moves, and at most one pattern pays for it. Values that rules test for, such as the blank, are tracked
automatically.

With --processes, several processes on this machine build the table of one pattern together. With
--hosts, the processes run on several machines, as in explore. The first process has the table and
writes it.

Exits with 1 if --check finds a mistake.

Examples:
  psvn pdb gen:sliding-tiles:3:3 --summary
  psvn pdb gen:sliding-tiles:4:4 --pattern 'keep 0 1-5' --size
  psvn pdb gen:sliding-tiles:4:4 --additive --pattern 'keep 1 4 5 8 9 12' \\
      --pattern 'keep 6 7 10 11 13 14' --pattern 'keep 2 3 15' -o fifteen.pdb
  psvn pdb gen:rubik:2:fixed --summary --format csv
  psvn pdb gen:rubik:3 --pattern 'pieces w/g w/r w/b w/o g/r g/o' -o edges.pdb
  psvn pdb gen:rubik:3 --pattern \"like U U' D D' R2 L2 F2 B2\" -o cube.pdb
  psvn pdb gen:sliding-tiles:4:4 --pattern 'keep 0 1-6' -o 7.pdb --processes 2
  psvn pdb gen:sliding-tiles:4:4 --additive --check \\
      --open fifteen-1.pdb --open fifteen-2.pdb")]
pub(crate) struct PdbArgs {
    #[arg(help = FILE_HELP)]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) variation: VariationArgs,
    /// Values to keep and variables to project to; may be given several times
    #[arg(long, value_name = "PATTERN")]
    pub(crate) pattern: Vec<String>,
    /// A file with an abstraction, or the name of one in the game's text:
    /// `abstraction { DOMAIN { image of each value } projection { K P .. } }`
    #[arg(long, value_name = "FILE|NAME")]
    pub(crate) abstraction: Vec<PathBuf>,
    /// Variables to project to, such as 1-8; short for a pattern
    #[arg(long, value_name = "VARIABLES")]
    pub(crate) project: Vec<String>,
    /// Read tables from files instead of building them
    #[arg(long, value_name = "FILE.pdb", conflicts_with_all = ["pattern", "abstraction", "project", "output", "size"])]
    #[cfg_attr(feature = "cluster", arg(conflicts_with_all = ["processes", "hosts"]))]
    pub(crate) open: Vec<PathBuf>,
    /// Share costs among the patterns so that their sum is a lower bound, or report why this is
    /// impossible
    #[arg(long)]
    #[cfg_attr(feature = "cluster", arg(conflicts_with_all = ["processes", "hosts"]))]
    pub(crate) additive: bool,
    /// Write the table to this file; several tables to FILE-1.pdb, FILE-2.pdb and so on
    #[arg(short, long, value_name = "FILE.pdb")]
    pub(crate) output: Option<PathBuf>,
    /// Print how many entries there are at each distance
    #[arg(long)]
    pub(crate) summary: bool,
    /// Compare estimates with the costs of random walks from goals, and with the estimates one step
    /// further
    #[arg(long)]
    pub(crate) check: bool,
    /// Print how large the tables would be, and build nothing
    #[arg(long, conflicts_with_all = ["output", "summary", "check"])]
    #[cfg_attr(feature = "cluster", arg(conflicts_with_all = ["processes", "hosts"]))]
    pub(crate) size: bool,
    /// Build nothing that needs more memory than this, such as 500M or 2G
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    pub(crate) memory: Option<usize>,
    /// Stop after this time, such as 10s or 5m
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub(crate) time: Option<Duration>,
    /// Keep the layers of several processes in this folder; the same command continues there
    #[cfg(feature = "cluster")]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) disk: Option<PathBuf>,
    #[cfg(feature = "cluster")]
    #[command(flatten)]
    pub(crate) cluster: ClusterArgs,
}
