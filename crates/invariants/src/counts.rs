//! Counts: exactly k facts of a set hold.

use crate::facts::FactIndex;

/// The statement that exactly `number` facts of a set hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Count {
    /// Sorted fact numbers.
    pub(crate) facts: Vec<u32>,
    /// The number of them that hold.
    pub(crate) number: u32,
    /// The number of variables that the facts are about: the most facts that could hold.
    pub(crate) n_vars: u32,
}

impl Count {
    pub(crate) fn new(index: &FactIndex, mut facts: Vec<u32>, number: u32) -> Self {
        facts.sort_unstable();
        facts.dedup();
        let mut vars: Vec<usize> = facts.iter().map(|fact| index.var(*fact)).collect();
        vars.dedup();
        Self {
            n_vars: vars.len() as u32,
            facts,
            number,
        }
    }

    /// The number of variables that hold a value outside the set.
    pub(crate) fn slack(&self) -> u32 {
        self.n_vars.saturating_sub(self.number)
    }

    /// The number of the set's facts that hold in a state.
    pub(crate) fn number_in(&self, index: &FactIndex, state: &[psvn_ir::Value]) -> u32 {
        let holds = |fact: &&u32| {
            let fact = index.fact(**fact);
            state[fact.var.index()] == fact.value
        };
        self.facts.iter().filter(holds).count() as u32
    }
}
