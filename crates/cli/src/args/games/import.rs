//! The arguments of the command that reads games in other formats.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::args::shared::WorkLimits;

#[derive(Args, Debug)]
#[command(after_help = "\
Other commands read such files directly. This command writes the PSVN that they read, so that you
can change or keep it.

sas: a planning task as the translator of Fast Downward writes it, version 3. Conditional effects and axioms become a rule for each case, up to a limit. The initial state becomes the comment `# start:`, where `psvn solve` begins without --start.

pddl: a planning task, translated into SAS+ by Fast Downward's driver: $PSVN_TRANSLATOR, or else fast-downward.py or downward, or that of the Python package up-fast-downward. `psvn solve` does so, too.

tws, kpuzzle: a twisty puzzle as ksolve and twsearch, or cubing.js, define it. Pieces become stickers, so that each move is one rule; each multiple of a move is a move too. Where
some pieces may not come to a place, there is a rule for each piece that may.

octile, gr: a grid map of the Moving AI Lab, or a road network of the DIMACS challenge. A state is a place and the destination: --start \"3,4 10,12\". Scenarios (.scen) are read as --instances.

Examples:
  psvn import sas output.sas -o task.psvn
  psvn solve output.sas --algorithm astar --heuristic auto
  psvn import pddl domain.pddl problem.pddl -o task.psvn
  psvn import tws cube.tws | psvn analyze -
  psvn solve cube.tws --scramble \"R U2 F'\"")]
pub(crate) struct ImportArgs {
    /// The format: sas, pddl, tws, kpuzzle, octile, gr
    #[arg(value_enum, hide_possible_values = true, value_name = "FORMAT")]
    pub(crate) from: ImportFormat,
    /// The file, or `-` for standard input
    pub(crate) file: PathBuf,
    /// With pddl, the problem, if the file is the domain
    pub(crate) problem: Option<PathBuf>,
    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE.psvn")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) limits: WorkLimits,
}

/// The format that a game is read in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ImportFormat {
    /// SAS+, version 3
    Sas,
    /// A domain and a problem, by an installed translator
    Pddl,
    /// A definition in the manner of ksolve and twsearch
    Tws,
    /// The JSON of cubing.js
    Kpuzzle,
    /// A grid map of the Moving AI Lab
    Octile,
    /// A road network of the DIMACS challenge
    Gr,
}
