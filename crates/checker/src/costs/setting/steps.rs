//! Rules as what they test and what they change, without the positions at which nothing happens.

use crate::costs::setting::moves::{Move, Source, Test};

/// A rule that is carried out on many states.
#[derive(Debug)]
pub(crate) struct Step {
    tests: Vec<(usize, Test)>,
    changes: Vec<(usize, Source)>,
    pub(crate) cost: u64,
}

impl Step {
    pub(crate) fn of(it: &Move) -> Self {
        let tests = it.tests.iter().copied().enumerate();
        let sources = it.sources.iter().copied().enumerate();
        let changes = |(position, source): &(usize, Source)| match *source {
            Source::Keep => false,
            Source::Put(value) => it.tests[*position] != Test::Is(value),
            Source::From(other) => it.tests[*position] != Test::Same(other),
        };
        Self {
            tests: tests.filter(|(_, test)| *test != Test::Any).collect(),
            changes: sources.filter(changes).collect(),
            cost: it.cost,
        }
    }

    /// The positions that are tested for a value, each with the value.
    pub(crate) fn values_tested(&self) -> impl Iterator<Item = (usize, u32)> {
        self.tests
            .iter()
            .filter_map(|(position, test)| match *test {
                Test::Is(value) => Some((*position, value)),
                Test::Any | Test::Same(_) => None,
            })
    }

    pub(crate) fn applies_to(&self, state: &[u32]) -> bool {
        self.tests.iter().all(|(position, test)| match *test {
            Test::Any => true,
            Test::Is(wanted) => state[*position] == wanted,
            Test::Same(other) => state[*position] == state[other],
        })
    }

    /// The positions whose values may change, each with the value after a state.
    pub(crate) fn changes(&self, state: &[u32]) -> impl Iterator<Item = (usize, u32)> {
        self.changes.iter().map(|(position, source)| {
            let value = match *source {
                Source::Keep => state[*position],
                Source::Put(value) => value,
                Source::From(other) => state[other],
            };
            (*position, value)
        })
    }

    /// Put the state that a state leads to into a vector.
    pub(crate) fn carry_out(&self, state: &[u32], next: &mut Vec<u32>) {
        next.clear();
        next.extend_from_slice(state);
        for (position, value) in self.changes(state) {
            next[position] = value;
        }
    }
}
