//! The values that a variable may hold in a goal state.

use budget::Watch;
use invariants::Invariants;
use psvn_ir::{CanonicalRule, Game, Goal, Term, Value, VarId};

use crate::effort::Effort;
use crate::refusal::Refusal;

/// The maximum number of entries of a table of facts (variable and value).
pub(crate) const MAX_FACTS: usize = 1 << 24;

/// The maximum number of terms that are visited to find which facts the invariants allow.
const MAX_TERMS: usize = 1 << 30;

/// For each variable and value, whether a goal state may hold it: the value that the goal condition
/// names or, if it names none, any value that the invariants allow.
#[derive(Clone, Debug)]
pub(crate) struct GoalFacts {
    allowed: Vec<Vec<bool>>,
}

impl GoalFacts {
    /// Return the facts of each goal condition.
    pub(crate) fn of_goals(game: &Game, known: &Invariants) -> Result<Vec<Self>, Refusal> {
        Self::of_goals_within(game, known, &Effort::within(&Watch::default()))
    }

    /// The same within limits.
    pub(crate) fn of_goals_within(
        game: &Game,
        known: &Invariants,
        effort: &Effort<'_>,
    ) -> Result<Vec<Self>, Refusal> {
        if game.goals().is_empty() {
            return Err(Refusal::NoGoal);
        }
        let facts = n_facts(game).saturating_mul(game.goals().len());
        if facts > MAX_FACTS {
            return Err(Refusal::TooLarge { limit: MAX_FACTS });
        }
        let goals = game.goals().iter();
        goals
            .map(|goal| Self::new(game, goal, known, effort, facts))
            .collect()
    }

    fn new(
        game: &Game,
        goal: &Goal,
        known: &Invariants,
        effort: &Effort<'_>,
        bytes: usize,
    ) -> Result<Self, Refusal> {
        let conditions = goal.conditions();
        let asks = asks_invariants(game, known);
        let of_variable = |(i, condition): (usize, &Term)| -> Result<Vec<bool>, Refusal> {
            let size = game.domain_of(VarId::from_index(i)).size();
            effort.spend(size, bytes)?;
            let mut values = (0..size as u32).map(Value);
            match condition.as_constant() {
                Some(constant) => Ok(values.map(|value| value == constant).collect()),
                None if !asks => Ok(vec![true; size]),
                None => values.try_fold(Vec::with_capacity(size), |mut allowed, value| {
                    effort.spend(conditions.len(), bytes)?;
                    allowed.push(known.admits(&with_value(conditions, i, value)));
                    Ok(allowed)
                }),
            }
        };
        let allowed: Result<_, Refusal> = conditions.iter().enumerate().map(of_variable).collect();
        Ok(Self { allowed: allowed? })
    }

    /// Return whether a goal state may hold this value there.
    pub(crate) fn allows(&self, var: usize, value: Value) -> bool {
        self.allowed[var][value.index()]
    }
}

/// Return the number of pairs of a variable and a value.
pub(crate) fn n_facts(game: &Game) -> usize {
    let sizes = game.variables().iter().map(|id| game.domain(*id).size());
    sizes.sum()
}

/// Return whether invariants are queried for each fact: there are some, and it doesn't take too
/// long.
pub(crate) fn asks_invariants(game: &Game, known: &Invariants) -> bool {
    !known.is_empty() && n_facts(game).saturating_mul(game.n_variables()) <= MAX_TERMS
}

/// Return a condition vector in which one unknown, and the variables tied to it, have a value.
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
