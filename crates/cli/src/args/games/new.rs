//! The arguments of the command that begins a game or an experiment.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::args::number::number;

#[derive(Args, Debug)]
#[command(after_help = "\
What is written can be used at once, and says in comments what to change. Without KIND, a terminal
is asked.

Examples:
  psvn new board --rows 3 --columns 4 -o mine.psvn
  psvn new permutation --size 6
  psvn new planning -o errands.psvn
  psvn new experiment --game mine.psvn -o mine.toml")]
pub(crate) struct NewArgs {
    /// What to begin: board (pieces that move on squares), permutation (moves that change places),
    /// planning (things with states, and actions with conditions and costs), or experiment
    #[arg(value_enum, hide_possible_values = true)]
    pub(crate) kind: Option<NewKind>,
    /// board: the number of rows
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = number::<usize>)]
    pub(crate) rows: usize,
    /// board: the number of columns
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = number::<usize>)]
    pub(crate) columns: usize,
    /// permutation: the number of places; planning: the number of things to deliver
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = number::<usize>)]
    pub(crate) size: usize,
    /// experiment: the game to measure
    #[arg(long, value_name = "FILE", default_value = "game.psvn")]
    pub(crate) game: String,
    /// Write to this file, which must not exist, instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// What can be begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum NewKind {
    /// Pieces that move on the squares of a board
    Board,
    /// Moves that change the places of pieces
    Permutation,
    /// Things with states, and actions with conditions and costs
    Planning,
    /// Methods measured on a game
    Experiment,
}
