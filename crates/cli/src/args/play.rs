//! The arguments of `psvn play`.

use std::path::PathBuf;

use clap::{ArgGroup, Args, ValueEnum};
use psvn::text::Choice;
use psvn::text::units::parse_bytes;
use two_players::{Evaluation, NoMove, PlayAlgorithm, Wins};

use super::choice::choice;
use super::shared::{FILE_HELP, SearchLimits};

use crate::args::number::number;

#[derive(Args, Debug)]
#[command(group = ArgGroup::new("task").args(["against", "tree", "solve", "table_7_1"]))]
#[command(after_help = "\
One variable says whose turn it is: every rule tests it for one of two values and sets it to the other.
A goal that holds means that the player who has just moved has won.

Type moves on standard input, by label or by number in the list of moves; `help` lists what else you
can type. The board shows the variables as they are laid out in the file.

Examples:
  psvn play gen:tic-tac-toe                        best move, how the game ends
  psvn play gen:connect:7:6:4 --depth 12 --as X      play against the program
  psvn play gen:pawns:3:3 --no-move loss --solve   the outcome of every position
  psvn play gen:tic-tac-toe --solve --symmetries   the same up to symmetry
  psvn play gen:tic-tac-toe --start 'O . . O . X . . . X' --depth 2 --tree text
  psvn play gen:tic-tac-toe --table-7-1            a table of a textbook")]
pub(crate) struct PlayArgs {
    #[arg(help = FILE_HELP)]
    pub(crate) file: PathBuf,
    /// The position: values separated by white space. Without it, each variable has the first value
    /// of its domain
    #[arg(long, value_name = "STATE", allow_hyphen_values = true)]
    pub(crate) start: Option<String>,
    /// The variable that says whose turn it is, counted from 1; found automatically if there is
    /// only one
    #[arg(long, value_name = "N", value_parser = number::<u32>)]
    pub(crate) turn: Option<u32>,
    /// What it means for a player to have no move: `draw`, `loss` or `win`
    #[arg(
        long,
        value_parser = choice::<NoMove>(),
        default_value = NoMove::default().name(),
        hide_possible_values = true,
        value_name = "draw|loss|win"
    )]
    pub(crate) no_move: NoMove,
    /// How positions are searched. All find the same move; `deepening` is AlphaBeta with a table
    #[arg(
        short,
        long,
        value_parser = choice::<PlayAlgorithm>(),
        default_value = PlayAlgorithm::default().name(),
        hide_possible_values = true,
        value_name = "minimax|negmax|alphabeta|deepening"
    )]
    pub(crate) algorithm: PlayAlgorithm,
    /// How many moves to look ahead
    #[arg(
        short,
        long,
        alias = "ply",
        short_alias = 'n',
        value_name = "D",
        default_value_t = 10,
        value_parser = number::<u32>,
    )]
    pub(crate) depth: u32,
    /// Moves that are followed beyond the depth, such as captures, by their labels: `take`, or
    /// `*x*` for all that contain an x. A position is evaluated only where none of these moves is
    /// better than to leave it at that; of a sequence, the first 32 are followed
    #[arg(
        long,
        value_name = "LABEL,..",
        value_delimiter = ',',
        allow_hyphen_values = true,
        conflicts_with_all = ["solve", "table_7_1"]
    )]
    pub(crate) unquiet: Vec<String>,
    /// How to value positions at the end of the look-ahead: by the goals open to the player minus
    /// those open to the opponent, or not at all
    #[arg(
        long,
        value_parser = choice::<Evaluation>(),
        default_value = Evaluation::default().name(),
        hide_possible_values = true,
        value_name = "board|none"
    )]
    pub(crate) evaluation: Evaluation,
    /// Whether quick wins are better than slow ones, or all wins are equal (as in textbooks)
    #[arg(
        long,
        value_parser = choice::<Wins>(),
        default_value = Wins::default().name(),
        hide_possible_values = true,
        value_name = "distance|equal"
    )]
    pub(crate) wins: Wins,
    /// The memory for the table of `deepening`, or for the positions of `--solve`
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    pub(crate) memory: Option<usize>,
    /// Play against the program as this player, given by the value of the turn
    #[arg(long = "as", value_name = "PLAYER")]
    pub(crate) against: Option<String>,
    /// Show the tree of visited positions, with windows and cut-offs
    #[arg(
        long,
        value_enum,
        hide_possible_values = true,
        value_name = "text|dot|svg"
    )]
    pub(crate) tree: Option<TreeForm>,
    /// Find the outcome of every position that can be reached
    #[arg(long)]
    pub(crate) solve: bool,
    /// With `--solve`: count positions that are images of each other as one, and also games that go
    /// through such positions
    #[arg(long, requires = "solve")]
    pub(crate) symmetries: bool,
    /// Count the positions that Minimax and AlphaBeta visit after all openings of 1, 2 and 3 moves
    #[arg(long = "table-7-1")]
    pub(crate) table_7_1: bool,
    /// Write the picture of `--tree` to this file
    #[arg(short, long, value_name = "FILE", requires = "tree")]
    pub(crate) output: Option<PathBuf>,
    /// Refused: leaving out redundant sequences isn't safe with two players
    #[arg(short, long, value_name = "L|FILE.fsm", hide = true)]
    pub(crate) prune: Option<String>,
    #[command(flatten)]
    pub(crate) limits: SearchLimits,
}

/// The form of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TreeForm {
    /// Indented text
    Text,
    /// For Graphviz
    Dot,
    /// A picture that needs nothing else
    Svg,
}
