//! The arguments of the command that abstracts games.

use std::path::PathBuf;

use clap::{ArgGroup, Args};

use crate::args::shared::{FILE_HELP, WorkLimits};

#[derive(Args, Debug)]
#[command(group = ArgGroup::new("how").required(true).args(["abstraction", "pattern"]))]
#[command(override_usage = "psvn abstract <--abstraction FILE|--pattern PATTERN> [OPTIONS] <FILE>")]
#[command(after_help = "\
A script has a command on each line:
  map DOMAIN FROM TO   the value FROM becomes TO
  project K            variable K, counted from 1, is dropped
  project DOMAIN       all variables of the domain are dropped

Each step of the game is a step of the abstract game or changes nothing there, so least costs of the
abstract game are lower bounds.

Examples:
  psvn abstract gen:sliding-tiles:3:3 --script colors.txt \\
      -o abstract.psvn --block colors.abs
  psvn abstract gen:pancake:6 --pattern 'keep 4-6' | psvn check -")]
pub(crate) struct AbstractArgs {
    #[arg(help = FILE_HELP)]
    pub(crate) file: PathBuf,
    /// A file with a script or an abstraction block, or the name of a block in the game's text
    #[arg(long, visible_alias = "script", value_name = "FILE|NAME")]
    pub(crate) abstraction: Option<PathBuf>,
    /// A pattern, such as `keep 0-4` or `project 1-8`
    #[arg(long, value_name = "PATTERN")]
    pub(crate) pattern: Option<String>,
    /// Write the abstract game to this file instead of standard output
    #[arg(short, long, value_name = "FILE.psvn")]
    pub(crate) output: Option<PathBuf>,
    /// Write the abstraction to this file, as a block that `psvn pdb --abstraction` reads
    #[arg(long, value_name = "FILE")]
    pub(crate) block: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) limits: WorkLimits,
}
