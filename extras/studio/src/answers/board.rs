//! States as boards, and the moves from them.

use std::sync::Arc;

use drawing::{BoardLayout, Shown};
use psvn::instance::RandomWalks;
use psvn::{Game, State};
use psvn_ir::RuleId;
use serde::{Deserialize, Serialize};

use super::Question;
use crate::opened::Opened;
use crate::refusal::Refusal;
use crate::shared::Studio;

/// The columns of a board that a game doesn't lay out: a cell for each variable.
const COLUMNS: usize = 12;

/// The most moves of an answer.
pub(super) const MOST_MOVES: usize = 300;

/// The most steps of a random walk.
const MOST_STEPS: u64 = 100_000;

/// A state as a board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Board {
    columns: usize,
    cells: Vec<Cell>,
}

/// A cell of a board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct Cell {
    /// `outside`, `empty`, or else a thing. Boards are many, so what is usual isn't written.
    #[serde(skip_serializing_if = "is_thing")]
    shown: &'static str,
    #[serde(skip_serializing_if = "String::is_empty")]
    sign: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    color: Option<String>,
    /// The variable that it shows, if other cells show it, too: neighbors of it are one piece.
    #[serde(skip_serializing_if = "Option::is_none")]
    piece: Option<usize>,
}

/// What a cell shows unless it says otherwise.
const THING: &str = "thing";

fn is_thing(shown: &str) -> bool {
    shown == THING
}

impl Board {
    /// The board of a state: as the game lays it out, else a cell for each variable.
    pub(super) fn of(opened: &Opened, game: &Game, state: &State) -> Self {
        let values = game.value_names(state);
        match opened.layout() {
            Some(layout) => Self::laid_out(layout, &values),
            None => {
                let cell = |value: &&str| Cell {
                    shown: THING,
                    sign: (*value).to_owned(),
                    color: None,
                    piece: None,
                };
                Self {
                    columns: values.len().clamp(1, COLUMNS),
                    cells: values.iter().map(cell).collect(),
                }
            }
        }
    }

    fn laid_out(layout: &BoardLayout, values: &[&str]) -> Self {
        let places = 0..layout.rows * layout.columns;
        let variables: Vec<Option<usize>> = places
            .clone()
            .map(|place| layout.variable_at(values, place))
            .collect();
        let is_shared = |variable: &usize| {
            let shown = variables.iter().flatten().filter(|it| *it == variable);
            shown.count() > 1
        };
        let cell = |place: usize| {
            let (shown, sign) = match layout.shown(values, place) {
                Shown::Outside => ("outside", ""),
                Shown::Empty(sign) => ("empty", sign),
                Shown::Something(sign) => (THING, sign),
            };
            Cell {
                shown,
                sign: sign.to_owned(),
                color: layout.colors.get(sign).filter(|_| is_thing(shown)).cloned(),
                piece: variables[place].filter(is_shared),
            }
        };
        Self {
            columns: layout.columns,
            cells: places.map(cell).collect(),
        }
    }

    /// The cells that differ from those of another board.
    fn changed(&self, other: &Self) -> Vec<usize> {
        let both = self.cells.iter().zip(&other.cells).enumerate();
        both.filter(|(_, (one, other))| one != other)
            .map(|(place, _)| place)
            .collect()
    }
}

/// A state with its board.
#[derive(Debug, Serialize)]
pub(crate) struct Position {
    pub(super) state: String,
    pub(super) board: Board,
    pub(super) is_goal: bool,
}

impl Position {
    pub(super) fn of(opened: &Opened, game: &Game, state: &State) -> Self {
        Self {
            state: game.ir().format_state(state.values()),
            board: Board::of(opened, game, state),
            is_goal: game.ir().is_goal(state.values()),
        }
    }
}

/// The start states that a game suggests: those that it declares, and its goal.
pub(super) fn starts(game: &Game) -> Vec<(String, String)> {
    let text = |state: &State| game.ir().format_state(state.values());
    let mut starts = Vec::new();
    if let Ok(Some(start)) = game.declared_start() {
        starts.push(("start".to_owned(), text(&start)));
    }
    for name in game.start_names() {
        if let Ok(state) = game.state("the start", name) {
            starts.push((name.to_owned(), text(&state)));
        }
    }
    if let Some(goal) = game.ir().goal_state() {
        starts.push(("goal".to_owned(), text(&goal)));
    }
    if starts.is_empty() {
        // Any state shows what the game looks like: the first value of each variable.
        let first = State::new(vec![psvn::Value(0); game.ir().n_variables()]);
        starts.push(("first".to_owned(), text(&first)));
    }
    starts
}

/// The rules that can be used in a state, each with the state that it leads to.
pub(super) fn moves(game: &Game, state: &State) -> impl Iterator<Item = (RuleId, State)> {
    let rules = game.ir().rules_with_ids();
    let legal = rules.filter(|(_, rule)| rule.canonical.applies_to(state.values()));
    legal.map(|(id, rule)| (id, State::new(rule.canonical.apply(state.values()))))
}

/// Which moves does a state allow?
#[derive(Debug, Deserialize)]
pub(crate) struct Moves {
    game: String,
    state: String,
}

/// A state, and the moves that it allows.
#[derive(Debug, Serialize)]
pub(crate) struct Allowed {
    #[serde(flatten)]
    position: Position,
    moves: Vec<Move>,
    /// How many moves are left out.
    left_out: usize,
}

/// A move.
#[derive(Debug, Serialize)]
struct Move {
    /// The number of the rule, from 1.
    rule: usize,
    name: String,
    cost: u64,
    /// The state that it leads to.
    state: String,
    /// The cells that it changes.
    cells: Vec<usize>,
}

impl Question for Moves {
    type Answer = Allowed;

    fn game(&self) -> &str {
        &self.game
    }

    fn answer(self, opened: &Arc<Opened>, _: &Arc<Studio>) -> Result<Allowed, Refusal> {
        let game = opened.game()?;
        let state = game.state("the state", &self.state)?;
        let names = game.rule_names();
        let position = Position::of(opened, game, &state);
        let shown = |(id, next): (RuleId, State)| Move {
            rule: id.index() + 1,
            name: names.name(id),
            cost: game.ir().rule(id).canonical.cost(),
            cells: Board::of(opened, game, &next).changed(&position.board),
            state: game.ir().format_state(next.values()),
        };
        let mut legal = moves(game, &state);
        let shown: Vec<Move> = legal.by_ref().take(MOST_MOVES).map(shown).collect();
        Ok(Allowed {
            moves: shown,
            left_out: legal.count(),
            position,
        })
    }
}

/// Make a random walk.
#[derive(Debug, Deserialize)]
pub(crate) struct Scramble {
    game: String,
    steps: u64,
    seed: u64,
    /// Where to walk from if the game has no goal.
    state: String,
}

/// The end of a random walk.
#[derive(Debug, Serialize)]
pub(crate) struct Scrambled {
    state: String,
    /// What is said about the walk.
    notes: Vec<String>,
}

impl Question for Scramble {
    type Answer = Scrambled;

    fn game(&self) -> &str {
        &self.game
    }

    /// Walk backward from a goal where that is possible, so that the end has a solution.
    fn answer(self, opened: &Arc<Opened>, studio: &Arc<Studio>) -> Result<Scrambled, Refusal> {
        let game = opened.game()?;
        let notes = Arc::new(std::sync::Mutex::new(Vec::new()));
        let heard = Arc::clone(&notes);
        let env = studio
            .env()
            .with_seed(self.seed)
            .with_listener(move |event| {
                if let psvn::Event::Warning(text) | psvn::Event::Note(text) = event {
                    let mut heard = heard
                        .lock()
                        .unwrap_or_else(std::sync::PoisonError::into_inner);
                    heard.push((*text).to_owned());
                }
            });
        let steps = self.steps.min(MOST_STEPS);
        let backward = RandomWalks {
            count: 1,
            steps,
            start: None,
            backward: true,
        };
        let from_here = || -> Result<_, Refusal> {
            let forward = RandomWalks {
                start: Some(game.state("the state", &self.state)?),
                backward: false,
                ..backward.clone()
            };
            Ok(forward.walk(game, &env)?)
        };
        let ends = match backward.walk(game, &env) {
            Ok(ends) if !ends.is_empty() => ends,
            _ => from_here()?,
        };
        let end = ends.into_iter().next();
        let end = end.ok_or_else(|| Refusal::wrong("no random walk was found"))?;
        let notes = std::mem::take(
            &mut *notes
                .lock()
                .unwrap_or_else(std::sync::PoisonError::into_inner),
        );
        Ok(Scrambled {
            state: end.state,
            notes,
        })
    }
}
