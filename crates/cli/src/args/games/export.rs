//! The arguments of the command that writes games in other languages and formats.

use std::path::PathBuf;
use std::time::Duration;

#[cfg(feature = "c-export")]
use c_export::{HistoryForm, ProgramExport};
use clap::{Args, ValueEnum};
#[cfg(feature = "c-export")]
use psvn::Limits;
use psvn::text::units::{parse_bytes, parse_duration};

use crate::args::number::number;
use crate::args::shared::FILE_HELP;

#[derive(Args, Debug)]
#[command(after_help = "\
c: the file is C99 without dependencies. Its functions are those that programs for psvn2c call:
init_fwd_iter, next_ruleid, apply_fwd_rule, is_goal, histories, backward rules, state maps,
abstractions, text. A program includes it with #include \"game.c\".

A history belongs to a path. Where paths to one state are merged, as in A*, nothing may be pruned.

A large history is compressed: a few of its rows are stored whole, the others as their differences
from one of these.

rust: the same interface as a module without dependencies. A program includes it with `mod game;`.

sas: a planning task in SAS+, version 3. It begins in --start, or in the state that the game declares.
A rule that moves values, or tests whether they are equal, becomes an operator for each combination
of values. Several goals become axioms.

tws: a twisty puzzle, for a game whose rules only change the places of values.

graphml: all states that --start leads to, or else the declared start or the goal, and all moves
between them, as a graph that networkx, Gephi and yEd read.

Examples:
  psvn export c gen:sliding-tiles:4:4 --max-length 6 -o fifteen.c
  psvn export rust gen:pancake:9 --max-length 3 -o src/pancakes.rs
  psvn export sas gen:pancake:4 --start '2 4 1 3' -o pancakes.sas
  psvn export tws gen:rubik:2:fixed -o cube.tws
  psvn export graphml gen:sliding-tiles:2:2 -o four.graphml
  psvn export c puzzle.psvn -L 0 --no-backward | gcc -fsyntax-only -x c -")]
pub(crate) struct ExportArgs {
    /// The language or format: c, rust, sas, tws, graphml
    #[arg(value_enum, hide_possible_values = true, value_name = "LANGUAGE")]
    pub(crate) language: Language,
    #[arg(help = FILE_HELP)]
    pub(crate) file: PathBuf,
    /// sas and graphml: the state in which the task or the graph begins: values separated by white
    /// space
    #[arg(long, value_name = "STATE", allow_hyphen_values = true)]
    pub(crate) start: Option<String>,
    /// graphml: the most states; a game with more is refused
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = number::<usize>)]
    pub(crate) most_states: usize,
    /// The length of the longest sequences that histories compare, forward and backward; 0 prunes
    /// nothing
    #[arg(short = 'L', long, value_name = "L", default_value_t = 2, value_parser = number::<usize>)]
    pub(crate) max_length: usize,
    /// The same for backward rules, if it differs
    #[arg(long, value_name = "L", conflicts_with = "no_backward", value_parser = number::<usize>)]
    pub(crate) backward_max_length: Option<usize>,
    /// Leave backward rules out
    #[arg(long)]
    pub(crate) no_backward: bool,
    /// How the rows of histories are stored: auto, table (fastest), compressed (smallest); auto
    /// compresses large ones
    #[arg(
        long,
        value_enum,
        hide_possible_values = true,
        value_name = "FORM",
        default_value = "auto"
    )]
    pub(crate) histories: Histories,
    /// Stop the analysis of each direction after this time, such as 10s or 5m; histories prune the
    /// sequences that were found until then
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub(crate) time: Option<Duration>,
    /// Stop the analysis before it uses more memory, such as 500M or 2G
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    pub(crate) memory: Option<usize>,
    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// How the rows of histories are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Histories {
    /// As a table, or compressed if it is large
    Auto,
    /// As a table
    Table,
    /// As differences from a few whole rows
    Compressed,
}

#[cfg(feature = "c-export")]
impl From<Histories> for HistoryForm {
    fn from(form: Histories) -> Self {
        match form {
            Histories::Auto => HistoryForm::Auto,
            Histories::Table => HistoryForm::Table,
            Histories::Compressed => HistoryForm::Compressed,
        }
    }
}

/// The language that a game is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Language {
    /// C99, with the interface of psvn2c
    C,
    /// A module of Rust, with the same functions
    Rust,
    /// A planning task in SAS+, version 3
    Sas,
    /// A twisty puzzle in the manner of ksolve and twsearch
    Tws,
    /// All states and moves as a graph
    Graphml,
}

#[cfg(feature = "c-export")]
impl ExportArgs {
    /// The contents of a program.
    pub(crate) fn program(&self, language: c_export::Language) -> ProgramExport {
        let backward = self.backward_max_length.unwrap_or(self.max_length);
        ProgramExport {
            language,
            max_length: self.max_length,
            backward: (!self.no_backward).then_some(backward),
            histories: self.histories.into(),
            limits: Limits {
                time: self.time,
                memory: self.memory,
                ..Limits::default()
            },
        }
    }
}
