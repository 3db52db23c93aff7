//! Games of two players: positions analyzed, solved, drawn and played.
//!
//! ```
//! use psvn::Environment;
//! use two_players::{PlayOptions, TwoPlayers};
//!
//! let env = Environment::default();
//! let game = TwoPlayers::open("gen:nim:1:2:2", &PlayOptions::default(), &env)?;
//! let report = game.analyze(&game.default_start(), &env)?;
//! assert_eq!((&*report.value, report.moves_to_end), ("win", Some(5)));
//! assert_eq!(report.best.as_deref(), Some("h1-1"));
//! # Ok::<(), psvn::Error>(())
//! ```
//!
//! # What this crate doesn't know
//! How trees are searched and positions are solved (that is `game-tree`), terminals.

mod contest;
mod layout;
mod options;
mod position;
mod solved;
mod tree;

use std::path::Path;

use game_tree::{
    Analyzer, GameError, PositionError, Settings, Turn, TurnError, TwoPlayerGame, table_7_1,
};
use psvn_ir::{RuleId, State, VarId};

pub use self::contest::{Contest, ContestEvent, NextTurn, Reply};
use self::layout::Layout;
pub use self::options::{Evaluation, PlayOptions};
pub use self::position::{PositionIteration, PositionReport};
pub use self::solved::{NutshellRecord, OutcomesReport};
pub use self::tree::{PlayNode, PlayTree};
pub use game_tree::{Algorithm as PlayAlgorithm, NoMove, Wins};

use budget::{Limits, StopReason};
use psvn::text::{Message, Parameter, Source};
use psvn::{Environment, Error, Game, message};

/// The rows of Table 7-1, and its look-ahead in moves.
const TABLE_ROWS: u32 = 3;
const TABLE_DEPTH: u32 = 9;

/// A game of two players, with options for its positions.
#[derive(Debug)]
pub struct TwoPlayers {
    game: Game,
    tree: TwoPlayerGame,
    layout: Layout,
    options: PlayOptions,
    /// The rules that are followed beyond the look-ahead.
    unquiet: Vec<RuleId>,
}

impl TwoPlayers {
    /// Read a file, standard input for `-`, or a built-in game for `gen:NAME:ARGS`.
    ///
    /// # Errors
    /// When the game can't be read, no variable says whose turn it is, its rules stand for too many
    /// moves, or no rule has one of the labels of the options.
    pub fn open(
        file: impl AsRef<Path>,
        options: &PlayOptions,
        env: &Environment,
    ) -> Result<Self, Error> {
        let source = Source::read_within(file.as_ref(), env)?;
        let layout = Layout::of(&source.text);
        let game = Game::from_source(source, env)?;
        let turn = turn(&game, options.turn)?;
        let tree = TwoPlayerGame::new(game.ir(), turn, options.no_move)
            .map_err(|error: GameError| Error::limit(format!("{}: {error}", game.name())))?;
        let unquiet = unquiet_rules(&game, &options.unquiet)?;
        Ok(Self {
            game,
            tree,
            layout,
            unquiet,
            options: options.clone(),
        })
    }

    /// Return the game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Return the position in which every variable has the first value of its domain.
    pub fn default_start(&self) -> State {
        self.tree.default_start()
    }

    /// Read a position: its values in order, separated by white space. Messages call the text
    /// `what`.
    ///
    /// # Errors
    /// When the text isn't a state of the game, or it is nobody's turn there.
    pub fn position(&self, what: impl Into<Message>, text: &str) -> Result<State, Error> {
        let state = self.game.ir().parse_state(text);
        let state =
            state.map_err(|error| Error::input(message![what.into(), format!(": {error}")]))?;
        let player = self.tree.player(&state);
        player.map_err(|error| Error::input(format!("the start: {error}")))?;
        Ok(state)
    }

    /// Return a position as lines of text, laid out as the variables are in the file.
    pub fn board(&self, state: &State) -> Vec<String> {
        self.layout.show(&self.tree, state)
    }

    /// Return a position as lines of text, with rows and columns named as in the labels of moves,
    /// such as `b2`, where each move changes the square that its label names.
    pub fn labelled_board(&self, state: &State) -> Vec<String> {
        self.layout.show_labelled(&self.tree, state)
    }

    /// Count the positions that Minimax and AlphaBeta visit after all openings of 1, 2 and 3 moves,
    /// as in Table 7-1 of "Algorithms in a Nutshell".
    ///
    /// # Errors
    /// When the state isn't a position of the game, or a limit is reached.
    pub fn table_7_1(
        &self,
        start: &State,
        env: &Environment,
    ) -> Result<Vec<NutshellRecord>, Error> {
        let limits = self.limits(env);
        let rows = table_7_1(&self.tree, start, TABLE_DEPTH, TABLE_ROWS, &limits);
        match rows.map_err(no_position)? {
            Ok(rows) => Ok(rows.iter().map(NutshellRecord::of).collect()),
            Err(StopReason::Interrupted) => Err(Error::interrupted("the table isn't finished")),
            Err(reason) => Err(Error::limit(format!("the table isn't finished: {reason}"))),
        }
    }

    /// An analyzer with these settings and the evaluation of the options.
    fn analyzer(&self, settings: Settings) -> Analyzer<'_> {
        Analyzer::new(&self.tree, self.options.evaluation.evaluator(), settings)
    }

    /// The settings of a search of the tree.
    fn settings(&self, find_line: bool, env: &Environment) -> Settings {
        let standard = Settings::default();
        Settings {
            algorithm: self.options.algorithm,
            wins: self.options.wins,
            table_bytes: self.options.limits.memory.unwrap_or(standard.table_bytes),
            order_moves: true,
            unquiet: self.unquiet.clone(),
            find_line,
            limits: self.limits(env),
        }
    }

    fn limits(&self, env: &Environment) -> Limits {
        Limits {
            memory: None,
            ..env.limits(&self.options.limits)
        }
    }

    fn label(&self, rule: RuleId) -> &str {
        &self.tree.game().rule(rule).label
    }

    fn state_text(&self, state: &State) -> String {
        self.tree.game().format_state(state.values())
    }
}

/// The variable that says whose turn it is: the one of a number from 1, or else the only one.
fn turn(game: &Game, number: Option<u32>) -> Result<Turn, Error> {
    let found = match number {
        None => Turn::find(game.ir()),
        Some(number) => match number.checked_sub(1) {
            Some(index) => Turn::named(game.ir(), VarId(index)),
            None => return Err(Error::usage("variables are counted from 1")),
        },
    };
    found.map_err(|error| {
        let rejected = Error::input(format!("{}: {error}", game.name()));
        match error {
            TurnError::Ambiguous(_) => rejected.with_hint(message![
                "say which one with `",
                Parameter::Turn.is("N"),
                "`"
            ]),
            _ => rejected,
        }
    })
}

/// Return the rules whose labels fit one of these, which `*` may stand in for any text.
fn unquiet_rules(game: &Game, labels: &[String]) -> Result<Vec<RuleId>, Error> {
    let mut rules = Vec::new();
    for wanted in labels {
        let all = game.ir().rules_with_ids();
        let fitting = all.filter(|(_, rule)| fits(&rule.label, wanted));
        let before = rules.len();
        rules.extend(fitting.map(|(id, _)| id));
        if rules.len() == before {
            return Err(Error::usage(message![
                "`",
                Parameter::Unquiet,
                format!("`: no rule of the game has the label `{wanted}`")
            ]));
        }
    }
    Ok(rules)
}

/// Return whether a label is a text, in any case, in which each `*` stands for any text.
fn fits(label: &str, wanted: &str) -> bool {
    let (label, wanted) = (label.to_ascii_lowercase(), wanted.to_ascii_lowercase());
    let parts: Vec<&str> = wanted.split('*').collect();
    let ([first, middle @ .., last], true) = (&*parts, parts.len() > 1) else {
        return label == wanted;
    };
    let inner = label.strip_prefix(first);
    let Some(mut inner) = inner.and_then(|label| label.strip_suffix(last)) else {
        return false;
    };
    middle.iter().all(|part| match inner.split_once(part) {
        Some((_, rest)) => {
            inner = rest;
            true
        }
        None => false,
    })
}

/// The error for a state that isn't a position of the game.
fn no_position(error: PositionError) -> Error {
    Error::input(error.to_string())
}
