//! States that can be reached in a number of steps.

use std::collections::BTreeMap;

use crate::costs::estimates::potential::Potential;
use crate::costs::veripb::failure::ExportFailure;
use crate::costs::veripb::names::Fact;
use crate::costs::veripb::question::Question;
use crate::limits::Limits;

/// The states after a number of steps from which a goal may be reached for what is left. A state
/// may stay as it is during a step.
pub(super) struct Layer {
    pub(super) step: u64,
    pub(super) entries: BTreeMap<Vec<u32>, Entry>,
}

#[derive(Clone, Copy)]
pub(super) struct Entry {
    /// The number of the state in its layer.
    pub(super) number: usize,
    /// The most that is left of the budget.
    pub(super) left: u64,
}

/// What a rule leads to.
pub(super) struct Transition {
    pub(super) rule: usize,
    pub(super) state: Vec<u32>,
    /// What is left of the budget.
    pub(super) left: u64,
}

/// What can happen to a state.
pub(super) enum Fate {
    /// No rule can be used or paid any more.
    Ends,
    /// A potential is greater than what is left.
    TooFar { potential: usize },
    /// The state is one of its layer.
    GoesOn,
}

impl Question<'_> {
    /// The rules that can be used and paid.
    pub(super) fn transitions(&self, state: &[u32], left: u64) -> impl Iterator<Item = Transition> {
        let moves = self.game.moves.iter().enumerate();
        moves.filter_map(move |(rule, it)| {
            let left = left.checked_sub(it.cost)?;
            let mut next = Vec::new();
            it.carry_out(state, &mut next).then_some(Transition {
                rule,
                state: next,
                left,
            })
        })
    }

    /// What can happen after a step.
    pub(super) fn fate(&self, step: u64, state: &[u32], left: u64) -> Fate {
        if step == self.n_steps || left < self.least_cost {
            return Fate::Ends;
        }
        let is_too_far = |it: &&Potential| it.estimate(state) > left;
        match self.potentials.iter().position(is_too_far) {
            Some(potential) => Fate::TooFar { potential },
            None => Fate::GoesOn,
        }
    }
}

impl Layer {
    fn new(step: u64, states: BTreeMap<Vec<u32>, u64>) -> Self {
        let numbered = states.into_iter().enumerate();
        let entry = |(number, (state, left))| (state, Entry { number, left });
        Self {
            step,
            entries: numbered.map(entry).collect(),
        }
    }

    /// The layer of the start.
    pub(super) fn first(question: &Question<'_>) -> Self {
        let start = question.game.start;
        let goes_on = matches!(question.fate(0, start, question.budget), Fate::GoesOn);
        let entry = (start.to_vec(), question.budget);
        Self::new(0, goes_on.then_some(entry).into_iter().collect())
    }

    /// The fact that the state is this one, and that no more is left.
    pub(super) fn fact(&self, entry: Entry) -> Fact {
        Fact::State {
            step: self.step,
            number: entry.number,
        }
    }

    /// The layer after this one.
    pub(super) fn next(
        &self,
        question: &Question<'_>,
        limits: &Limits,
    ) -> Result<Self, ExportFailure> {
        let step = self.step + 1;
        let mut states = BTreeMap::new();
        let mut reach = |state: Vec<u32>, left: u64| {
            if matches!(question.fate(step, &state, left), Fate::GoesOn) {
                let most = states.entry(state).or_insert(left);
                *most = left.max(*most);
            }
        };
        for (state, entry) in &self.entries {
            limits.check()?;
            reach(state.clone(), entry.left);
            for transition in question.transitions(state, entry.left) {
                reach(transition.state, transition.left);
            }
        }
        Ok(Self::new(step, states))
    }
}
