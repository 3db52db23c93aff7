//! The turn: the variable that every rule tests and flips.

use psvn_ir::{Game, State, Term, Value, VarId};

/// One of the two players, distinguished by the turn's value when they are to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Player {
    /// The player whose value is first in the domain of the turn.
    First,
    /// The other one.
    Second,
}

impl Player {
    /// Both, in order.
    pub const BOTH: [Self; 2] = [Player::First, Player::Second];

    /// Return the other player, who moves next.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Player::First => Player::Second,
            Player::Second => Player::First,
        }
    }

    /// Return 0 or 1.
    pub fn index(self) -> usize {
        self as usize
    }

    pub(crate) fn from_index(index: usize) -> Self {
        Self::BOTH[index & 1]
    }
}

/// The variable that determines whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The variable.
    pub variable: VarId,
    /// Its value when each player is to move; the first is the smaller one.
    pub values: [Value; 2],
}

/// The reasons why a game has no turn, or none that can be recognized.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TurnError {
    /// The game has no rules, so no player ever moves.
    #[error("the game has no rules, so no player ever moves")]
    NoRules,
    /// No variable is tested and flipped by every rule.
    #[error(
        "no variable says whose turn it is: every rule would have to test it for one of two values and set \
         it to the other"
    )]
    NotFound,
    /// Several variables are tested and flipped by every rule.
    #[error(
        "every rule tests and flips each of the variables {}, so any of them could say whose turn it is",
        .0.iter().map(|var| (var.0 + 1).to_string()).collect::<Vec<_>>().join(", ")
    )]
    Ambiguous(Vec<VarId>),
    /// There is no such variable.
    #[error("the game has no variable {}; it has {n_variables}", variable.0 + 1)]
    NoSuchVariable {
        /// The variable that was named.
        variable: VarId,
        /// The number of variables.
        n_variables: usize,
    },
    /// The variable that was named is not a turn.
    #[error(
        "variable {} doesn't say whose turn it is: rule `{rule}` (number {}) doesn't flip it between the two \
         values that the rules before it use",
        variable.0 + 1, number + 1
    )]
    NotFlipped {
        /// The variable that was named.
        variable: VarId,
        /// The label of the first rule that doesn't flip it.
        rule: String,
        /// The number of that rule, counted from 0.
        number: usize,
    },
}

impl Turn {
    /// Find the variable that every rule tests for one of two values and sets to the other.
    ///
    /// Takes O(rules × variables) time.
    ///
    /// # Errors
    /// If there is none, or more than one.
    pub fn find(game: &Game) -> Result<Self, TurnError> {
        if game.rules().is_empty() {
            return Err(TurnError::NoRules);
        }
        let turns: Vec<Self> = (0..game.n_variables())
            .filter_map(|variable| flipped(game, VarId::from_index(variable)).ok())
            .collect();
        match turns.as_slice() {
            [] => Err(TurnError::NotFound),
            [turn] => Ok(*turn),
            _ => Err(TurnError::Ambiguous(
                turns.iter().map(|turn| turn.variable).collect(),
            )),
        }
    }

    /// Find the turn of a game that is probably meant for two players: there is a turn, and each
    /// player has two rules or more. A game of one player may by chance have a variable that every
    /// rule flips.
    pub fn find_likely(game: &Game) -> Option<Self> {
        let turn = Self::find(game).ok()?;
        let first = Term::constant(turn.values[0]);
        let preconditions = game
            .rules()
            .iter()
            .map(|rule| rule.canonical.preconditions());
        let n_first = preconditions
            .filter(|terms| terms[turn.variable.index()] == first)
            .count();
        (n_first >= 2 && game.rules().len() - n_first >= 2).then_some(turn)
    }

    /// Return the turn for a variable given by the user.
    ///
    /// # Errors
    /// If there is no such variable, or some rule doesn't flip it.
    pub fn named(game: &Game, variable: VarId) -> Result<Self, TurnError> {
        if variable.index() >= game.n_variables() {
            return Err(TurnError::NoSuchVariable {
                variable,
                n_variables: game.n_variables(),
            });
        }
        if game.rules().is_empty() {
            return Err(TurnError::NoRules);
        }
        flipped(game, variable).map_err(|number| TurnError::NotFlipped {
            variable,
            rule: game.rules()[number].label.to_string(),
            number,
        })
    }

    /// Return the player to move in a state; `None` when the turn has a third value, for which
    /// there are no rules.
    pub fn player(&self, state: &State) -> Option<Player> {
        let value = state.values().get(self.variable.index())?;
        let index = self.values.iter().position(|turn| turn == value)?;
        Some(Player::from_index(index))
    }

    /// Return the name of a player: the name of the turn's value.
    pub fn name<'g>(&self, game: &'g Game, player: Player) -> &'g str {
        game.domain_of(self.variable)
            .value_name(self.values[player.index()])
    }
}

/// Return the turn for a variable, or the number of the first rule that doesn't flip it.
fn flipped(game: &Game, variable: VarId) -> Result<Turn, usize> {
    let at = |terms: &[Term]| terms[variable.index()].as_constant();
    let mut values: Option<[Value; 2]> = None;
    for (number, rule) in game.rules().iter().enumerate() {
        let (Some(before), Some(after)) = (
            at(rule.canonical.preconditions()),
            at(rule.canonical.actions()),
        ) else {
            return Err(number);
        };
        let pair = [before.min(after), before.max(after)];
        if before == after || values.is_some_and(|values| values != pair) {
            return Err(number);
        }
        values = Some(pair);
    }
    match values {
        Some(values) => Ok(Turn { variable, values }),
        None => Err(0),
    }
}
