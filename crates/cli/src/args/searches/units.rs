//! The arguments of searches in units: how they are split, worked on and joined.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use psvn::Limits;
use psvn::solve::units::{MOST_UNITS, Splitting};
use psvn::text::units::{parse_bytes, parse_duration};

use crate::args::number::{number, number_in};

/// How a search is split.
#[derive(Args, Debug)]
#[command(next_help_heading = "Units of work")]
pub(crate) struct UnitsArgs {
    /// Split each large bound into about N units, which are files in the folder of --output, for
    /// `psvn work` and `psvn join`
    #[arg(long, value_name = "N", requires = "output", value_parser = number_in(1..=MOST_UNITS))]
    pub(crate) units: Option<u64>,
    /// Split a bound only once it takes longer than this; 0s splits all bounds that can be
    #[arg(
        long,
        value_name = "TIME",
        requires = "units",
        value_parser = parse_duration,
        default_value = "10s"
    )]
    pub(crate) units_after: Duration,
}

impl UnitsArgs {
    /// How the search is split, if it is; `output` is the folder.
    pub(crate) fn splitting<'p>(&self, output: Option<&'p PathBuf>) -> Option<Splitting<'p>> {
        Some(Splitting {
            units: self.units?,
            folder: output?,
            after: self.units_after,
        })
    }
}

/// What work on units may use.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct UnitLimits {
    /// Stop after this time, such as 10m or 4h, and keep what was found
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub(crate) time: Option<Duration>,
    /// Stop after this number of generated nodes, for each unit, or for the whole search in `join`
    #[arg(long, value_name = "N", value_parser = number::<u64>)]
    pub(crate) nodes: Option<u64>,
    /// The memory for the analysis and for heuristics, such as 500M or 2G; without it, that of the
    /// command that split the search
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    pub(crate) memory: Option<usize>,
}

impl UnitLimits {
    /// Return the limits, but for that on time, which is the environment's.
    pub(crate) fn limits(&self) -> Limits {
        Limits {
            nodes: self.nodes,
            memory: self.memory,
            ..Limits::default()
        }
    }
}

/// The arguments of `psvn work`.
#[derive(Args, Debug)]
#[command(after_help = WORK_HELP)]
pub(crate) struct WorkArgs {
    /// Files of units
    #[arg(required = true, value_name = "UNIT")]
    pub(crate) units: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) limits: UnitLimits,
}

const WORK_HELP: &str = "\
Searches the subtrees of each unit, and writes the result beside it. A unit that is done takes no
time. What was found is written about once a second, so the same command continues after a limit,
Ctrl-C or a crash. --threads searches several subtrees of a unit at once.

Exits with 0 if all units are done, and with 4 if a limit is reached first.

Examples:
  psvn solve puzzle.psvn --units 100 -o korf  split a search
  psvn work korf/*.unit                       do all of its units
  parallel psvn work ::: korf/*.unit          the same, by all processors
  psvn work --time 55m korf/007-12.unit       what fits in an hour";

/// The arguments of `psvn join`.
#[derive(Args, Debug)]
#[command(after_help = JOIN_HELP)]
pub(crate) struct JoinArgs {
    /// The folder of the units
    pub(crate) folder: PathBuf,
    #[command(flatten)]
    pub(crate) limits: UnitLimits,
}

const JOIN_HELP: &str = "\
Puts the results of all units of a bound together. It prints the answer, as `psvn solve` or
`psvn tree` do, or else searches further bounds, and writes the units of the first one that takes
too long. It can be repeated at any time.

Exits with 0 or 1 as `psvn solve` does once there is an answer, with 4 if there are new units to
work on, and with 3 if units are missing, which it lists.

Examples:
  psvn join korf
  parallel psvn work ::: korf/*.unit; psvn join korf
  while psvn work korf/*.unit; psvn join korf; test $? -eq 4; do true; done";
