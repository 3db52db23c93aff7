//! A game of two players: its turn, its moves, and its end.

pub(crate) mod ground;
mod reach;
pub(crate) mod turn;

use psvn_ir::{Game, RuleId, State, Value, VarId};

use crate::game::ground::{Fact, Move, TooMany, ground_goal, ground_rule};
use crate::game::reach::Reach;
use crate::game::turn::{Player, Turn};

/// The maximum number of moves of a game, and of goals, after unknowns are replaced by constants.
pub const MAX_MOVES: usize = 1 << 20;

/// The result if the player to move has no move, and no player has won.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum NoMove {
    /// The game is drawn.
    #[default]
    Draw,
    /// The player to move has lost.
    Loss,
    /// The player to move has won.
    Win,
}

/// The status of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// The player to move has moves.
    Open,
    /// A goal holds, or the other player can't move and so loses.
    Won(Player),
    /// The player to move has no move, and no player has won.
    Drawn,
}

/// The reasons why a game can't be searched as a game of two players.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GameError {
    /// Unknowns have too many combinations of constants.
    #[error(
        "rule `{label}` (number {}) brings the game to more than {MAX_MOVES} moves, since its variable symbols \
         have too many values", number + 1
    )]
    TooManyMoves {
        /// The label of the rule.
        label: String,
        /// Its number, counted from 0.
        number: usize,
    },
    /// The goals have too many combinations of constants.
    #[error("the goals expand to more than {MAX_MOVES} conditions")]
    TooManyGoals,
}

/// The reasons why a state is not a position of a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PositionError {
    /// Too many or too few values.
    #[error("the state has {found} values; this game needs {expected}")]
    Length {
        /// The game's number of variables.
        expected: usize,
        /// The state's number of values.
        found: usize,
    },
    /// A value outside its variable's domain.
    #[error("entry {} of the state has a value that its domain doesn't have", .0.0 + 1)]
    Value(VarId),
    /// The turn belongs to neither player.
    #[error(
        "entry {} of the state says whose turn it is, and its value `{value}` belongs to neither player",
        variable.0 + 1
    )]
    NobodysTurn {
        /// The turn.
        variable: VarId,
        /// The name of its value.
        value: String,
    },
}

/// A game of two players.
#[derive(Clone, Debug)]
pub struct TwoPlayerGame {
    game: Game,
    turn: Turn,
    no_move: NoMove,
    /// By player, in the order of the rules.
    pub(crate) moves: [Vec<Move>; 2],
    /// By player, the goals that hold after a move of this player.
    pub(crate) goals: [Vec<Vec<Fact>>; 2],
    /// The transitions between values.
    pub(crate) reach: Reach,
}

impl TwoPlayerGame {
    /// Make a game with its turn, and the result of having no move.
    ///
    /// # Errors
    /// If rules or goals have too many combinations of values.
    pub fn new(game: &Game, turn: Turn, no_move: NoMove) -> Result<Self, GameError> {
        let mut moves = [Vec::new(), Vec::new()];
        for (id, rule) in game.rules_with_ids() {
            let term = rule.canonical.preconditions()[turn.variable.index()];
            let player = usize::from(term.as_constant() != Some(turn.values[0]));
            let limit = MAX_MOVES - moves[1 - player].len();
            ground_rule(game, id, turn.variable, limit, &mut moves[player]).map_err(|TooMany| {
                GameError::TooManyMoves {
                    label: rule.label.to_string(),
                    number: id.index(),
                }
            })?;
        }
        let mut all = Vec::new();
        for goal in game.goals() {
            ground_goal(game, goal.conditions(), MAX_MOVES, &mut all)
                .map_err(|TooMany| GameError::TooManyGoals)?;
        }
        let goals = Player::BOTH.map(|player| {
            let next = turn.values[player.other().index()].0;
            let fact_of_turn = |goal: &[Fact]| {
                let turn = goal.iter().find(|(var, _)| *var == turn.variable.0);
                turn.map(|(_, value)| *value)
            };
            let writes = |fact: &Fact| {
                let mut changes = moves[player.index()].iter().flat_map(|a| &a.changes);
                fact.0 != turn.variable.0 && changes.any(|(var, _, new)| (*var, *new) == *fact)
            };
            let reachable = |goal: &&Vec<Fact>| match fact_of_turn(goal) {
                Some(value) => value == next,
                None => goal.is_empty() || goal.iter().any(writes),
            };
            all.iter().filter(reachable).cloned().collect()
        });
        Ok(Self {
            reach: Reach::new(game, &moves),
            game: game.clone(),
            turn,
            no_move,
            moves,
            goals,
        })
    }

    /// Return the game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Return the turn.
    pub fn turn(&self) -> &Turn {
        &self.turn
    }

    /// Return the result of having no move.
    pub fn no_move(&self) -> NoMove {
        self.no_move
    }

    /// Return the name of a player.
    pub fn name(&self, player: Player) -> &str {
        self.turn.name(&self.game, player)
    }

    /// Return the state in which every variable has the first value of its domain, and the first
    /// player is to move. The generators of two-player games use it as their start.
    pub fn default_start(&self) -> State {
        let mut values = vec![Value(0); self.game.n_variables()];
        values[self.turn.variable.index()] = self.turn.values[0];
        State::new(values)
    }

    /// Return the player to move.
    ///
    /// # Errors
    /// If the state doesn't belong to the game, or the turn belongs to neither player.
    pub fn player(&self, state: &State) -> Result<Player, PositionError> {
        let values = state.values();
        if values.len() != self.game.n_variables() {
            return Err(PositionError::Length {
                expected: self.game.n_variables(),
                found: values.len(),
            });
        }
        let fits = |i: &usize| {
            let size = self.game.domain_of(VarId::from_index(*i)).size();
            values[*i].index() < size
        };
        if let Some(position) = (0..values.len()).find(|i| !fits(i)) {
            return Err(PositionError::Value(VarId::from_index(position)));
        }
        self.turn.player(state).ok_or_else(|| {
            let variable = self.turn.variable;
            let value = values[variable.index()];
            PositionError::NobodysTurn {
                variable,
                value: self.game.domain_of(variable).value_name(value).to_owned(),
            }
        })
    }

    /// Return the status of a position, by the rules.
    ///
    /// # Errors
    /// As [`TwoPlayerGame::player`].
    pub fn status(&self, state: &State) -> Result<Status, PositionError> {
        let player = self.player(state)?;
        if self.game.is_goal(state.values()) {
            return Ok(Status::Won(player.other()));
        }
        let rules = self.game.rules();
        let can_move = rules
            .iter()
            .any(|rule| rule.canonical.applies_to(state.values()));
        Ok(match self.no_move {
            _ if can_move => Status::Open,
            NoMove::Draw => Status::Drawn,
            NoMove::Loss => Status::Won(player.other()),
            NoMove::Win => Status::Won(player),
        })
    }

    /// Return the rules that the player to move may use, in the order of the file; none when the
    /// game is over.
    ///
    /// # Errors
    /// As [`TwoPlayerGame::player`].
    pub fn rules_from(&self, state: &State) -> Result<Vec<RuleId>, PositionError> {
        self.player(state)?;
        if self.game.is_goal(state.values()) {
            return Ok(Vec::new());
        }
        let rules = self.game.rules_with_ids();
        Ok(rules
            .filter(|(_, rule)| rule.canonical.applies_to(state.values()))
            .map(|(id, _)| id)
            .collect())
    }

    /// Return the position after a rule, whether or not the rule may be used.
    pub fn after(&self, state: &State, rule: RuleId) -> State {
        State::new(self.game.rule(rule).canonical.apply(state.values()))
    }

    /// Return the number of a rule's move in a state.
    pub(crate) fn move_of(&self, player: Player, rule: RuleId, state: &State) -> Option<usize> {
        let holds = |(var, value): &Fact| state.values()[*var as usize].0 == *value;
        let moves = &self.moves[player.index()];
        let first = moves.partition_point(|a| a.rule < rule);
        (first..moves.len())
            .take_while(|number| moves[*number].rule == rule)
            .find(|number| moves[*number].tests.iter().all(holds))
    }

    pub(crate) fn domain_sizes(&self) -> Vec<usize> {
        let variables = self.game.variables().iter();
        variables.map(|id| self.game.domain(*id).size()).collect()
    }

    /// Return whether a goal holds in a state, ignoring the turn.
    pub(crate) fn is_goal_but_for_the_turn(&self, state: &State) -> bool {
        self.turn.values.iter().any(|turn| {
            let mut values: Box<[Value]> = state.values().into();
            values[self.turn.variable.index()] = *turn;
            self.game.is_goal(&values)
        })
    }
}
