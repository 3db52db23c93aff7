//! States, and how they are written: values separated by white space, in the user's spelling.

use crate::game::Game;
use crate::ids::{Value, VarId};
use crate::shared::near::near_miss;

/// A state: one value for each variable.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State(Box<[Value]>);

/// Why a text isn't a state of a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StateError {
    /// Too many or too few values.
    #[error("a state of this game has {expected} values, and this text has {found}")]
    Length {
        /// The game's number of variables.
        expected: usize,
        /// The number of words in the text.
        found: usize,
    },
    /// A word that isn't a value of its position's domain.
    #[error("`{word}` (entry {} of the state) isn't a value of domain `{domain}`{}", position + 1, suggestion(near))]
    Value {
        /// The word.
        word: String,
        /// The position, counted from 0.
        position: usize,
        /// The name of that position's domain.
        domain: String,
        /// A value that is spelled much like the word.
        near: Option<String>,
    },
}

fn suggestion(near: &Option<String>) -> String {
    near.as_ref()
        .map(|near| format!("; did you mean `{near}`?"))
        .unwrap_or_default()
}

impl State {
    /// A state from its values, one for each variable of the game.
    pub fn new(values: impl Into<Box<[Value]>>) -> Self {
        Self(values.into())
    }

    /// Return the values.
    pub fn values(&self) -> &[Value] {
        &self.0
    }
}

impl Game {
    /// Return the goal state, if there is exactly one condition and it determines every variable.
    pub fn goal_state(&self) -> Option<State> {
        let [goal] = self.goals.as_slice() else {
            return None;
        };
        goal.conditions()
            .iter()
            .map(|term| term.as_constant())
            .collect::<Option<Box<[Value]>>>()
            .map(State::new)
    }

    /// Read a state.
    ///
    /// # Errors
    /// When the number of words is wrong, or a word isn't a value of its domain.
    pub fn parse_state(&self, text: &str) -> Result<State, StateError> {
        let words: Vec<&str> = text.split_whitespace().collect();
        if words.len() != self.n_variables() {
            return Err(StateError::Length {
                expected: self.n_variables(),
                found: words.len(),
            });
        }
        let value = |(position, word): (usize, &&str)| {
            let domain = self.domain_of(VarId::from_index(position));
            domain.lookup(word).ok_or_else(|| StateError::Value {
                word: (*word).to_owned(),
                position,
                domain: domain.name().to_owned(),
                near: near_miss(word, domain.values()).map(str::to_owned),
            })
        };
        words
            .iter()
            .enumerate()
            .map(value)
            .collect::<Result<Box<[Value]>, _>>()
            .map(State)
    }

    /// Format a state such that [`Game::parse_state`] reads it back.
    ///
    /// # Panics
    /// When the state belongs to another game.
    pub fn format_state(&self, values: &[Value]) -> String {
        let names: Vec<&str> = values
            .iter()
            .enumerate()
            .map(|(i, value)| self.domain_of(VarId::from_index(i)).value_name(*value))
            .collect();
        names.join(" ")
    }
}

/// Return all states of a game: every combination of values, the last variable varying fastest.
///
/// Their number is the product of the domains' sizes, so this is for small games only.
pub fn all_states(game: &Game) -> impl Iterator<Item = Box<[Value]>> + use<> {
    let sizes: Vec<usize> = (0..game.n_variables())
        .map(|variable| game.domain_of(VarId::from_index(variable)).size())
        .collect();
    let first: Box<[Value]> = vec![Value(0); sizes.len()].into();
    std::iter::successors(Some(first), move |state| {
        let mut state = state.clone();
        let digit = (0..sizes.len()).rfind(|i| state[*i].index() + 1 < sizes[*i])?;
        state[digit].0 += 1;
        state[digit + 1..].fill(Value(0));
        Some(state)
    })
}
