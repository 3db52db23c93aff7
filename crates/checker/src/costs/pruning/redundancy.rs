//! Words of rules that can be replaced by others.
//!
//! A word is carried out on a state of unknown values. That gives the most general state that
//! allows it. The replacement is carried out on that state, where unknowns count as values that
//! differ from each other and from all others. What holds there holds wherever the word leads.

use crate::costs::flaw::CostProblem;
use crate::costs::pruning::letters::Letters;
use crate::costs::pruning::within::{Invariant, close};
use crate::costs::setting::moves::{Move, Source, Test};
use crate::costs::setting::prepared::Prepared;
use crate::costs::shared::Line;

/// A word, as letters from 0, and the rules that replace it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pair {
    pub(crate) word: Vec<u32>,
    pub(crate) replacement: Vec<u32>,
}

/// A value of a state that isn't known everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Known(u32),
    /// An unknown, named by the first position that has it at the start.
    Unknown(usize),
}

/// The most general state that allows the rules so far, and the state that they lead to.
struct Course {
    start: Vec<Value>,
    state: Vec<Value>,
}

impl Course {
    fn new(n_variables: usize) -> Self {
        let start: Vec<Value> = (0..n_variables).map(Value::Unknown).collect();
        let state = start.clone();
        Self { start, state }
    }

    /// Carry out a move where that is possible. Return `false` if it never is.
    fn append(&mut self, it: &Move) -> bool {
        let can_follow = it.tests.iter().enumerate().all(|(position, test)| {
            let held = self.state[position];
            match *test {
                Test::Any => true,
                Test::Is(value) => self.equate(held, Value::Known(value)),
                Test::Same(other) => self.equate(held, self.state[other]),
            }
        });
        self.state = led_to(it, &self.state);
        can_follow
    }

    /// Suppose that two values are the same. Return `false` if they can't be.
    fn equate(&mut self, one: Value, other: Value) -> bool {
        let (unknown, value) = match (one, other) {
            (Value::Known(one), Value::Known(other)) => return one == other,
            (Value::Unknown(unknown), Value::Known(value))
            | (Value::Known(value), Value::Unknown(unknown)) => (unknown, Value::Known(value)),
            (Value::Unknown(one), Value::Unknown(other)) => {
                (one.max(other), Value::Unknown(one.min(other)))
            }
        };
        for held in self.start.iter_mut().chain(&mut self.state) {
            if *held == Value::Unknown(unknown) {
                *held = value;
            }
        }
        true
    }
}

/// The state that a move leads to.
fn led_to(it: &Move, state: &[Value]) -> Vec<Value> {
    let next = |(source, held): (&Source, &Value)| match *source {
        Source::Keep => *held,
        Source::Put(value) => Value::Known(value),
        Source::From(position) => state[position],
    };
    it.sources.iter().zip(state).map(next).collect()
}

/// Whether a word can be carried out from one state, whatever its unknown values are, and leads to
/// another.
fn leads(moves: &[Move], word: &[u32], from: &[Value], to: &[Value]) -> bool {
    let mut state = from.to_vec();
    for rule in word {
        let it = &moves[*rule as usize];
        let applies = it.tests.iter().zip(&state).all(|(test, held)| match *test {
            Test::Any => true,
            Test::Is(value) => *held == Value::Known(value),
            Test::Same(other) => *held == state[other],
        });
        if !applies {
            return false;
        }
        state = led_to(it, &state);
    }
    state == to
}

/// Check that a word is redundant: its replacement comes before it, costs no more, and leads
/// wherever the word leads from a state with the invariants.
pub(crate) fn check_pair(
    game: &Prepared<'_>,
    letters: &Letters,
    invariants: &[Line<Invariant>],
    Pair { word, replacement }: &Pair,
) -> Result<(), CostProblem> {
    let unknown = |word: &[u32], n: usize| {
        let mut numbers = word.iter().map(|letter| *letter as usize);
        numbers.find(|letter| *letter >= n)
    };
    if let Some(letter) = unknown(word, letters.moves.len()) {
        return Err(CostProblem::UnknownLetter { letter });
    }
    if let Some(rule) = unknown(replacement, game.moves.len()) {
        return Err(CostProblem::UnknownRule { rule });
    }
    let rules = letters.rules_of(word);
    if (replacement.len(), replacement) >= (rules.len(), &rules) {
        return Err(CostProblem::NotBefore);
    }
    let cost = |rules: &[u32]| -> u64 {
        let costs = rules.iter().map(|rule| game.moves[*rule as usize].cost);
        costs.sum()
    };
    if cost(replacement) > cost(&rules) {
        return Err(CostProblem::CostsMore);
    }
    let mut course = Course::new(game.domains.len());
    if !word
        .iter()
        .all(|letter| course.append(&letters.moves[*letter as usize]))
    {
        return Err(CostProblem::Impossible);
    }
    let Course { start, state: end } = course;
    if leads(&game.moves, replacement, &start, &end) {
        return Ok(());
    }
    let closed = close(invariants, game.domains, &start)?;
    let within = |value: &Value| {
        let at = start.iter().position(|held| held == value);
        at.map_or(*value, |at| closed[at])
    };
    let end: Vec<Value> = end.iter().map(within).collect();
    if leads(&game.moves, replacement, &closed, &end) {
        return Ok(());
    }
    Err(CostProblem::NotRedundant)
}
