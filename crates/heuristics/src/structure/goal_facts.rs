//! Which values a variable may hold in a goal state.

use invariants::Invariants;
use psvn_ir::{CanonicalRule, Game, Goal, Term, Value, VarId};

use crate::refusal::Refusal;

/// No table of facts (variable and value) has more entries.
pub(crate) const MAX_FACTS: usize = 1 << 24;

/// No more terms than this are gone through to find out which facts the invariants leave.
const MAX_TERMS: usize = 1 << 30;

/// For each variable and value whether a goal state may hold it: what the goal condition names, or,
/// where it names nothing, whatever the invariants leave.
#[derive(Clone, Debug)]
pub(crate) struct GoalFacts {
    allowed: Vec<Vec<bool>>,
}

impl GoalFacts {
    /// The facts of each goal condition.
    pub(crate) fn of_goals(game: &Game, known: &Invariants) -> Result<Vec<Self>, Refusal> {
        if game.goals().is_empty() {
            return Err(Refusal::NoGoal);
        }
        let facts = n_facts(game).saturating_mul(game.goals().len());
        if facts > MAX_FACTS {
            return Err(Refusal::TooLarge { limit: MAX_FACTS });
        }
        let goals = game.goals().iter();
        Ok(goals.map(|goal| Self::new(game, goal, known)).collect())
    }

    fn new(game: &Game, goal: &Goal, known: &Invariants) -> Self {
        let conditions = goal.conditions();
        let asks = asks_invariants(game, known);
        let of_variable = |(i, condition): (usize, &Term)| {
            let values = (0..game.domain_of(VarId::from_index(i)).size() as u32).map(Value);
            match condition.as_constant() {
                Some(constant) => values.map(|value| value == constant).collect(),
                None => values
                    .map(|value| !asks || known.admits(&with_value(conditions, i, value)))
                    .collect(),
            }
        };
        Self {
            allowed: conditions.iter().enumerate().map(of_variable).collect(),
        }
    }

    /// Whether a goal state may hold this value there.
    pub(crate) fn allows(&self, var: usize, value: Value) -> bool {
        self.allowed[var][value.index()]
    }
}

/// The number of pairs of a variable and a value.
pub(crate) fn n_facts(game: &Game) -> usize {
    let sizes = game.variables().iter().map(|id| game.domain(*id).size());
    sizes.sum()
}

/// Whether invariants are asked of each fact: there are some, and it doesn't take too long.
pub(crate) fn asks_invariants(game: &Game, known: &Invariants) -> bool {
    !known.is_empty() && n_facts(game).saturating_mul(game.n_variables()) <= MAX_TERMS
}

/// A condition vector in which one unknown, and what is tied to it, is given a value.
pub(crate) fn with_value(conditions: &[Term], var: usize, value: Value) -> Box<[Term]> {
    let term = conditions[var];
    let terms: Vec<Term> = conditions
        .iter()
        .map(|it| {
            if *it == term {
                Term::constant(value)
            } else {
                *it
            }
        })
        .collect();
    CanonicalRule::canonicalize(&terms, &terms, 0)
        .preconditions()
        .into()
}
