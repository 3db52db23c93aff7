//! Predecessors by making states: for every ranking.

use psvn_ir::TermKind;

use super::Expander;
use crate::backward::Backward;
use crate::ranking::Ranking;

/// The new value of a position.
#[derive(Clone, Copy, Debug)]
enum Write {
    Constant(u32),
    Copy(u32),
}

#[derive(Clone, Debug)]
struct Step {
    constants: Vec<(u32, u32)>,
    equalities: Vec<(u32, u32)>,
    writes: Vec<(u32, Write)>,
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
    let mut step = Step {
        constants: Vec::new(),
        equalities: Vec::new(),
        writes: Vec::new(),
        forbidden: backward.forbidden.clone(),
        cost: backward.cost,
    };
    for (var, term) in backward.rule.tests() {
        match term.kind() {
            TermKind::Constant(value) => step.constants.push((var.0, value.0)),
            TermKind::Variable(other) => step.equalities.push((var.0, other.0)),
        }
    }
    for (var, term) in backward.rule.changes() {
        let write = match term.kind() {
            TermKind::Constant(value) => Write::Constant(value.0),
            TermKind::Variable(from) => Write::Copy(from.0),
        };
        step.writes.push((var.0, write));
    }
    step
}

impl Expander for StateExpander<'_> {
    /// The state, and the child.
    type Scratch = (Vec<u32>, Vec<u32>);

    fn scratch(&self) -> Self::Scratch {
        let n = self.ranking.n_variables();
        (vec![0; n], vec![0; n])
    }

    #[inline(always)]
    fn expand(
        &self,
        rank: u64,
        (state, child): &mut Self::Scratch,
        mut each: impl FnMut(u64, u64),
    ) {
        self.ranking.unrank(rank, state);
        child.copy_from_slice(state);
        for step in &self.steps {
            let applies = step
                .constants
                .iter()
                .all(|(var, value)| state[*var as usize] == *value)
                && step
                    .equalities
                    .iter()
                    .all(|(one, other)| state[*one as usize] == state[*other as usize]);
            if !applies {
                continue;
            }
            for (var, write) in &step.writes {
                child[*var as usize] = match write {
                    Write::Constant(value) => *value,
                    Write::Copy(from) => state[*from as usize],
                };
            }
            let mut forbidden = step.forbidden.iter();
            let is_forbidden = forbidden.any(|(var, value)| child[*var as usize] == *value);
            if let Some(rank) = self.ranking.rank(|var| child[var])
                && !is_forbidden
            {
                each(rank, step.cost);
            }
            for (var, _) in &step.writes {
                child[*var as usize] = state[*var as usize];
            }
        }
    }
}
