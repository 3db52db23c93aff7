//! Values that no state of the game has together.

use std::sync::Arc;

use crate::{Game, State, Value, VarId};

/// Combinations of values that states may not have.
#[derive(Clone, Debug, Default)]
pub struct Illegal(Arc<[Vec<OneOf>]>);

/// A variable that has one of some values.
#[derive(Clone, Debug)]
struct OneOf {
    variable: usize,
    values: Vec<Value>,
}

impl OneOf {
    /// Read `VARIABLE = VALUES`.
    fn read(text: &str, game: &Game) -> Option<Self> {
        let (variable, values) = text.split_once('=')?;
        let variable = variable.trim().parse::<usize>().ok()?.checked_sub(1)?;
        let domain =
            (variable < game.n_variables()).then(|| game.domain_of(VarId::from_index(variable)))?;
        let values = values.split_whitespace().map(|value| domain.lookup(value));
        Some(Self {
            variable,
            values: values.collect::<Option<_>>()?,
        })
    }

    fn holds(&self, state: &[Value]) -> bool {
        self.values.contains(&state[self.variable])
    }
}

impl Illegal {
    /// Find the comment lines `# illegal: VARIABLE = VALUES, VARIABLE = VALUES` of a text.
    pub fn of(text: &str, game: &Game) -> Self {
        let read = |line: &str| {
            let parts = line.split(',');
            parts.map(|part| OneOf::read(part, game)).collect()
        };
        Self(super::lines_of(text, "illegal").filter_map(read).collect())
    }

    /// Return the words of a whole state, where words are missing at its end and what is illegal
    /// leaves one value for each: variables that an import adds to show which pieces may not be
    /// everywhere.
    pub fn completed(&self, game: &Game, words: &[&str]) -> Option<Vec<String>> {
        if words.len() >= game.n_variables() {
            return None;
        }
        let of_word = |(position, word): (usize, &&str)| {
            let domain = game.domain_of(VarId::from_index(position));
            domain.lookup(word)
        };
        let known: Vec<Value> = words
            .iter()
            .enumerate()
            .map(of_word)
            .collect::<Option<_>>()?;
        let mut all: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        for variable in words.len()..game.n_variables() {
            let domain = game.domain_of(VarId::from_index(variable));
            let is_legal = |value: &Value| {
                let excludes = |parts: &Vec<OneOf>| {
                    let (own, others): (Vec<&OneOf>, Vec<&OneOf>) =
                        parts.iter().partition(|part| part.variable == variable);
                    !own.is_empty()
                        && own.iter().all(|part| part.values.contains(value))
                        && others
                            .iter()
                            .all(|part| part.variable < known.len() && part.holds(&known))
                };
                !self.0.iter().any(excludes)
            };
            let mut legal = (0..domain.size()).map(Value::from_index).filter(is_legal);
            let value = legal.next().filter(|_| domain.size() > 1)?;
            if legal.next().is_some() {
                return None;
            }
            all.push(domain.value_name(value).to_owned());
        }
        Some(all)
    }

    /// Return the values of a state that it may not have together, in words.
    pub fn in_state(&self, game: &Game, state: &State) -> Option<String> {
        let found = self
            .0
            .iter()
            .find(|parts| parts.iter().all(|part| part.holds(state.values())))?;
        let part = |part: &OneOf| {
            let domain = game.domain_of(VarId::from_index(part.variable));
            let value = domain.value_name(state.values()[part.variable]);
            format!("variable {} holds `{value}`", part.variable + 1)
        };
        let parts: Vec<String> = found.iter().map(part).collect();
        Some(parts.join(" and "))
    }
}
