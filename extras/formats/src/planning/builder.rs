//! Collects the parts of a task, by names.

use psvn_syntax::Span;

use crate::sas::{Effect, Fact, MutexGroup, Operator, Task, Variable};

/// A small generator of random numbers: SplitMix64. The same seed gives the same task.
pub(super) struct Random(pub(super) u64);

impl Random {
    /// A number below `bound`.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) % bound.max(1) as u64) as usize
    }

    /// Bring things into a random order.
    pub(super) fn shuffle<T>(&mut self, things: &mut [T]) {
        for at in (1..things.len()).rev() {
            things.swap(at, self.below(at + 1));
        }
    }
}

/// A change of a variable: the variable, the old value, the new value.
pub(super) type Change = (usize, Option<usize>, usize);

/// Collects the parts of a task.
#[derive(Default)]
pub(super) struct Builder {
    task: Task,
}

impl Builder {
    /// Add a variable with its facts and its initial value.
    pub(super) fn variable(&mut self, facts: Vec<String>, initial: usize) -> usize {
        let index = self.task.variables.len();
        self.task.variables.push(Variable {
            name: format!("var{index}"),
            layer: None,
            facts,
            span: Span::default(),
        });
        self.task.state.push(initial);
        index
    }

    /// Add a variable that represents an atom: 0 if it holds, 1 otherwise.
    pub(super) fn switch(&mut self, atom: &str, holds: bool) -> usize {
        let facts = vec![format!("Atom {atom}"), format!("NegatedAtom {atom}")];
        self.variable(facts, usize::from(!holds))
    }

    /// Add an operator with its prevail conditions and its changes.
    pub(super) fn operator(
        &mut self,
        name: String,
        prevail: &[(usize, usize)],
        changes: &[Change],
    ) {
        let fact = |(variable, value): &(usize, usize)| Fact {
            variable: *variable,
            value: *value,
        };
        let effect = |(variable, before, after): &Change| Effect {
            conditions: Vec::new(),
            variable: *variable,
            before: *before,
            after: *after,
        };
        self.task.operators.push(Operator {
            name,
            prevail: prevail.iter().map(fact).collect(),
            effects: changes.iter().map(effect).collect(),
            cost: 1,
            span: Span::default(),
        });
    }

    /// Add facts of which at most one holds.
    pub(super) fn mutex(&mut self, facts: impl IntoIterator<Item = (usize, usize)>) {
        let facts = facts
            .into_iter()
            .map(|(variable, value)| Fact { variable, value });
        let group = MutexGroup {
            facts: facts.collect(),
            span: Span::default(),
        };
        if group.facts.len() > 1 {
            self.task.mutexes.push(group);
        }
    }

    /// Demand a value in the end.
    pub(super) fn goal(&mut self, variable: usize, value: usize) {
        self.task.goal.push(Fact { variable, value });
    }

    /// The task.
    pub(super) fn task(self) -> Task {
        self.task
    }
}
