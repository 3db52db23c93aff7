//! Facts by number.

use std::ops::Range;

use psvn_ir::{Game, Value, VarId};

use crate::structure::goal_facts::GoalFacts;

/// The numbers of facts: a variable has a value.
#[derive(Clone, Debug)]
pub(super) struct Facts {
    /// By variable: the number of the fact that it has its first value. At the end the number of
    /// all facts.
    first: Box<[usize]>,
}

impl Facts {
    pub(super) fn of(game: &Game) -> Self {
        let sizes = game.variables().iter().map(|id| game.domain(*id).size());
        let ends = sizes.scan(0, |end, size| {
            *end += size;
            Some(*end)
        });
        Self {
            first: [0].into_iter().chain(ends).collect(),
        }
    }

    /// Return the number of facts.
    pub(super) fn len(&self) -> usize {
        self.first[self.n_variables()]
    }

    pub(super) fn n_variables(&self) -> usize {
        self.first.len() - 1
    }

    /// Return the fact that a variable has a value.
    pub(super) fn fact(&self, var: VarId, value: Value) -> usize {
        self.first[var.index()] + value.index()
    }

    /// Return the facts of a variable.
    pub(super) fn of_variable(&self, var: usize) -> Range<usize> {
        self.first[var]..self.first[var + 1]
    }

    /// Return the facts of a variable that a goal state may hold.
    pub(super) fn of_goal(&self, goal: &GoalFacts, var: usize) -> impl Iterator<Item = usize> {
        let values = (0..).map(Value).zip(self.of_variable(var));
        let allowed = values.filter(move |(value, _)| goal.allows(var, *value));
        allowed.map(|(_, fact)| fact)
    }

    /// Return how often facts hold in some states, on average.
    pub(super) fn weights_in(&self, states: &[Vec<u32>]) -> Vec<f64> {
        let mut weights = vec![0.0; self.len()];
        for state in states {
            for (first, value) in self.first.iter().zip(state) {
                weights[first + *value as usize] += 1.0 / states.len() as f64;
            }
        }
        weights
    }

    /// Return how often facts hold in all combinations of values, on average.
    pub(super) fn weights_in_all(&self) -> Vec<f64> {
        let of_variable = |var| {
            let n_values = self.of_variable(var).len();
            std::iter::repeat_n(1.0 / n_values as f64, n_values)
        };
        (0..self.n_variables()).flat_map(of_variable).collect()
    }
}
