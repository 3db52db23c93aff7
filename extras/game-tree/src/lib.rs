//! Game trees: games of two players in PSVN, searched for the best move.
//!
//! PSVN can describe games of two players unchanged. One variable is the turn: every rule tests it
//! for one of two values, and sets it to the other ([`Turn`]). A goal that holds means that the
//! player who has just moved has won. If no rule applies, and no goal holds, the result is a draw
//! or [another one that the caller chooses](NoMove).
//!
//! ```
//! use game_tree::{Analyzer, BoardEvaluation, NoMove, Settings, Turn, TwoPlayerGame, Value};
//!
//! // Two heaps; take one or more from one of them. Who takes the last one has won.
//! let loaded = psvn_ir::load("
//!     DOMAIN player 2 A B
//!     3  player 3 3
//!     A 2 - => B 1 -  LABEL left-1     B 2 - => A 1 -  LABEL left-1
//!     A 2 - => B 0 -  LABEL left-2     B 2 - => A 0 -  LABEL left-2
//!     A 1 - => B 0 -  LABEL left-1     B 1 - => A 0 -  LABEL left-1
//!     A - 2 => B - 1  LABEL right-1    B - 2 => A - 1  LABEL right-1
//!     A - 2 => B - 0  LABEL right-2    B - 2 => A - 0  LABEL right-2
//!     A - 1 => B - 0  LABEL right-1    B - 1 => A - 0  LABEL right-1
//!     GOAL - 0 0
//! ");
//! let game = loaded.game.expect("a game without errors");
//! let game = TwoPlayerGame::new(&game, Turn::find(&game)?, NoMove::Draw)?;
//! let mut analyzer = Analyzer::new(&game, BoardEvaluation, Settings::default());
//!
//! let start = game.game().parse_state("A 1 2")?;
//! let analysis = analyzer.analyze(&start, 10, |_| ())?;
//! assert_eq!(analysis.value(), Some(Value::Win(Some(3))));
//! let line = analysis.line.iter();
//! let labels: Vec<&str> = line.map(|rule| &*game.game().rule(*rule).label).collect();
//! assert_eq!(labels, ["right-1", "left-1", "right-1"]);
//!
//! let equal_heaps = game.game().parse_state("A 2 2")?;
//! let analysis = analyzer.analyze(&equal_heaps, 10, |_| ())?;
//! assert_eq!(analysis.value(), Some(Value::Loss(Some(4))));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # One answer
//! All [`Algorithm`]s give the same score and the same best move: of equally good ones, the first
//! in the order of the rules. Minimax, NegMax and AlphaBeta visit exactly the positions that
//! "Algorithms in a Nutshell" counts (chapter 7; [`table_7_1`]); [`Algorithm::Deepening`] visits
//! fewer.
//!
//! # Type A and Type B
//! A search looks the same number of moves ahead everywhere (Type A, Shannon 1950), or beyond that
//! follows moves that the caller names, such as captures ([`Settings::unquiet`], Type B).
//!
//! # How searches are fast
//! Unknowns in rules are replaced by constants, so each move changes a position by a constant: a
//! position is a few words, and a move is an exclusive or. The words answer the queries of a
//! search: which moves apply, which facts of goals hold, which are unreachable. Goals that are
//! lines of a board are all found at once by shifts.
//!
//! # What this crate doesn't know
//! Move pruning, which isn't safe in game trees (`docs/safety.md`), and PSVN text.

mod choices;
mod form;
mod game;
pub mod picture;
mod search;
mod solution;
mod visits;

pub use budget::{Limits, StopReason};
pub use game::turn::{Player, Turn, TurnError};
pub use game::{GameError, MAX_MOVES, NoMove, PositionError, Status, TwoPlayerGame};
pub use search::analysis::{Algorithm, Analysis, Analyzer, Iteration, Settings};
pub use search::beyond::MAX_BEYOND;
pub use search::evaluator::{BoardEvaluation, Evaluator, NoEvaluation, View};
pub use search::nutshell::{NutshellRow, table_7_1};
pub use search::recorded::{RecordedNode, RecordedTree, record};
pub use search::score::{MAX_EVALUATION, MAX_PLY, Score, Value, WIN, Wins};
pub use solution::{
    DEFAULT_SOLVE_MEMORY, Outcome, Representative, Solution, SolveError, solve, solve_up_to,
};
