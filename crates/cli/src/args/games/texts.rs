//! The arguments of the commands that check, lay out and write a game's text.

use std::path::PathBuf;

use clap::Args;

#[cfg(feature = "domains")]
use crate::args::number::number;
use crate::args::shared::{FILE_HELP, FILES_HELP, WorkLimits};

#[derive(Args, Debug)]
#[command(after_help = "\
Warnings leave the exit status at 0; errors make it 3. Warnings with the same cause are merged into
one with a count; -v shows each. Other commands show warnings only with -v. For several files, JSON
has one object on each line, and the exit status is that of the worst file. If every rule flips one
variable, the comment line `# players: 1` or `# players: 2` says how many players the game has.

Examples:
  psvn check puzzle.psvn
  psvn check games/*.psvn
  psvn check --fix puzzle.psvn
  psvn check --explain no-inverse
  psvn check --format json puzzle.psvn | jq '.diagnostics[].message'")]
pub(crate) struct CheckArgs {
    #[arg(help = FILES_HELP, value_name = "FILE", required_unless_present = "explain")]
    pub(crate) files: Vec<PathBuf>,
    /// Correct mistakes that have a single remedy: misspelled arrows and keywords, comments that
    /// begin with `//`, arrows and invisible characters within words, and rules that occur twice
    #[arg(long)]
    pub(crate) fix: bool,
    /// Explain a code such as no-inverse, and what to do about it; `all` for all codes
    #[arg(long, value_name = "CODE", conflicts_with_all = ["files", "fix"])]
    pub(crate) explain: Option<String>,
    #[command(flatten)]
    pub(crate) limits: WorkLimits,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  psvn fmt puzzle.psvn             print it
  psvn fmt --check puzzle.psvn     exit with 1 if it would change
  psvn fmt --write puzzle.psvn     change the file")]
pub(crate) struct FmtArgs {
    #[arg(help = FILE_HELP)]
    pub(crate) file: PathBuf,
    /// Print nothing, and exit with 1 if the file would change
    #[arg(long, conflicts_with = "write")]
    pub(crate) check: bool,
    /// Change the file in place
    #[arg(short, long)]
    pub(crate) write: bool,
}

#[cfg(feature = "domains")]
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  psvn gen --list
  psvn gen sliding-tiles 4 4 -o fifteen.psvn
  psvn gen topspin 14 3 | psvn analyze -
  psvn gen sokoban --level microban.txt --number 5 cost=pushes -o five.psvn")]
pub(crate) struct GenArgs {
    /// The game
    #[arg(required_unless_present = "list")]
    pub(crate) name: Option<String>,
    /// The numbers and options of the game
    #[arg(value_name = "ARG")]
    pub(crate) args: Vec<String>,
    /// List the games with their arguments
    #[arg(long, conflicts_with_all = ["name", "args", "output"])]
    pub(crate) list: bool,
    /// sokoban: a file with levels in their usual text form, rows of `#@$.*+` and blanks
    #[arg(long, value_name = "FILE", conflicts_with = "list")]
    pub(crate) level: Option<PathBuf>,
    /// Which level of the file, from 1
    #[arg(long, value_name = "N", default_value_t = 1, requires = "level", value_parser = number::<usize>)]
    pub(crate) number: usize,
    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}
