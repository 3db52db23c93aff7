//! Predecessors by making states: for every ranking.

use super::{Expander, Predecessor};
use crate::backward::Backward;
use crate::build::state_rule::StateRule;
use crate::ranking::Ranking;

#[derive(Clone, Debug)]
struct Step {
    rule: StateRule,
    forbidden: Vec<(u32, u32)>,
    cost: u64,
}

/// Applies rules to states.
pub(crate) struct StateExpander<'a> {
    ranking: &'a Ranking,
    steps: Vec<Step>,
}

impl<'a> StateExpander<'a> {
    pub(crate) fn new(ranking: &'a Ranking, rules: &[Backward]) -> Self {
        Self {
            ranking,
            steps: rules.iter().map(step).collect(),
        }
    }
}

fn step(backward: &Backward) -> Step {
    Step {
        rule: StateRule::of(&backward.rule),
        forbidden: backward.forbidden.clone(),
        cost: backward.cost,
    }
}

impl Expander for StateExpander<'_> {
    /// The state, and the child.
    type Scratch = (Vec<u32>, Vec<u32>);

    fn scratch(&self) -> Self::Scratch {
        let n = self.ranking.n_variables();
        (vec![0; n], vec![0; n])
    }

    #[inline(always)]
    fn expand(&self, rank: u64, (state, child): &mut Self::Scratch, found: &mut Vec<Predecessor>) {
        self.ranking.unrank(rank, state);
        child.copy_from_slice(state);
        for step in &self.steps {
            if !step.rule.applies(state) {
                continue;
            }
            step.rule.apply(state, child);
            let mut forbidden = step.forbidden.iter();
            let is_forbidden = forbidden.any(|(var, value)| child[*var as usize] == *value);
            if let Some(rank) = self.ranking.rank(|var| child[var])
                && !is_forbidden
            {
                found.push(Predecessor {
                    rank,
                    cost: step.cost,
                });
            }
            step.rule.undo(state, child);
        }
    }
}
