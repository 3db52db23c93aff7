//! Options for games of two players.

use budget::Limits;
use game_tree::{Algorithm, BoardEvaluation, Evaluator, NoEvaluation, NoMove, Wins};
use psvn::text::Choice;

/// Options for a game of two players.
#[derive(Clone, Debug)]
pub struct PlayOptions {
    /// The variable that says whose turn it is, counted from 1; the only one unless given.
    pub turn: Option<u32>,
    /// The outcome for a player without a move.
    pub no_move: NoMove,
    /// How positions are searched. All algorithms find the same move.
    pub algorithm: Algorithm,
    /// The evaluation of positions at the end of a search.
    pub evaluation: Evaluation,
    /// How wins are scored.
    pub wins: Wins,
    /// The number of moves to look ahead.
    pub ply: u32,
    /// The labels of moves that are followed beyond the look-ahead, such as captures. In each, `*`
    /// may stand for any text.
    pub unquiet: Vec<String>,
    /// The limits of each search: nodes are positions; memory is that of the table of `deepening`,
    /// or of the positions of a game that is solved. Without a flag of their own, the environment's
    /// cancellation interrupts.
    pub limits: Limits,
    /// Whether solving treats all images of a position under the game's symmetries as one.
    pub symmetries: bool,
}

impl Default for PlayOptions {
    fn default() -> Self {
        Self {
            turn: None,
            no_move: NoMove::default(),
            algorithm: Algorithm::default(),
            evaluation: Evaluation::default(),
            wins: Wins::default(),
            ply: 10,
            unquiet: Vec::new(),
            limits: Limits::default(),
            symmetries: false,
        }
    }
}

/// The evaluation of positions where a search ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Evaluation {
    /// The goals that are open to the player to move, less those open to the opponent.
    #[default]
    Board,
    /// Nothing.
    None,
}

impl Evaluation {
    /// The same for the searches of a game tree.
    pub(super) fn evaluator(self) -> Box<dyn Evaluator> {
        match self {
            Self::Board => Box::new(BoardEvaluation),
            Self::None => Box::new(NoEvaluation),
        }
    }
}

impl Choice for Evaluation {
    const ALL: &'static [Self] = &[Self::Board, Self::None];

    fn name(self) -> &'static str {
        match self {
            Self::Board => "board",
            Self::None => "none",
        }
    }

    fn summary(self) -> &'static str {
        match self {
            Self::Board => "Goals that are open",
            Self::None => "Nothing",
        }
    }
}
