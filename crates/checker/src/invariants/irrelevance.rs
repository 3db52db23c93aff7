//! Variables that no goal and no relevant rule tests (Taylor 1992, section 2.4, condition 3
//! relaxed).

use psvn_ir::{CanonicalRule, Game, RuleId, Term, VarId};

/// Variables that are proved irrelevant for any goal of a game.
///
/// States that differ only in these are equally good on the way to a goal: either both are goal
/// states or neither is. Each rule that can change another variable applies to both or to neither,
/// and leads to states that again differ only in these. Rules that change no other variable can be
/// left out of any path to a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProvedIrrelevance {
    is_irrelevant: Vec<bool>,
}

/// Why variables aren't proved irrelevant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum IrrelevanceFlaw {
    /// A variable that the game doesn't have.
    #[error("the game has no variable {}", var.index() + 1)]
    UnknownVariable {
        /// The variable.
        var: VarId,
    },
    /// The game has no goal for which they could be irrelevant.
    #[error("the game has no goal")]
    NoGoal,
    /// A goal tests one of them.
    #[error("goal {} tests variable {}", goal + 1, var.index() + 1)]
    TestedByGoal {
        /// The goal's place, from 0.
        goal: usize,
        /// The variable.
        var: VarId,
    },
    /// A rule tests one of them, and can change another variable.
    #[error("rule {} tests variable {}, and can change variable {}", rule.0 + 1, var.index() + 1, changed.index() + 1)]
    TestedByRule {
        /// The rule.
        rule: RuleId,
        /// The variable that is tested.
        var: VarId,
        /// A variable that the rule can change.
        changed: VarId,
    },
    /// A rule copies one of them into another variable.
    #[error("rule {} copies variable {} into variable {}", rule.0 + 1, var.index() + 1, into.index() + 1)]
    Copied {
        /// The rule.
        rule: RuleId,
        /// The variable that is copied.
        var: VarId,
        /// The target.
        into: VarId,
    },
}

impl ProvedIrrelevance {
    /// Prove that variables can't matter for any goal of a game: no goal tests them, and no rule
    /// that can change another variable tests them or copies them into another. Takes time
    /// linear in the size of the game.
    ///
    /// # Errors
    /// The test or copy that contradicts the claim.
    pub fn prove(game: &Game, ignored: &[VarId]) -> Result<Self, IrrelevanceFlaw> {
        let mut is_irrelevant = vec![false; game.n_variables()];
        for &var in ignored {
            let entry = is_irrelevant.get_mut(var.index());
            *entry.ok_or(IrrelevanceFlaw::UnknownVariable { var })? = true;
        }
        if game.goals().is_empty() {
            return Err(IrrelevanceFlaw::NoGoal);
        }
        let proved = Self { is_irrelevant };
        for (goal, conditions) in game.goals().iter().enumerate() {
            if let Some(var) = proved.tested(conditions.conditions()) {
                return Err(IrrelevanceFlaw::TestedByGoal { goal, var });
            }
        }
        for (id, rule) in game.rules_with_ids() {
            proved.check_rule(id, &rule.canonical)?;
        }
        Ok(proved)
    }

    fn check_rule(&self, id: RuleId, rule: &CanonicalRule) -> Result<(), IrrelevanceFlaw> {
        let changes = || {
            rule.changes()
                .filter(|(var, _)| !self.contains(var.index()))
        };
        let Some((changed, _)) = changes().next() else {
            return Ok(());
        };
        if let Some(var) = self.tested(rule.preconditions()) {
            return Err(IrrelevanceFlaw::TestedByRule {
                rule: id,
                var,
                changed,
            });
        }
        let copied = |(into, action): (VarId, Term)| {
            let var = action.as_variable()?;
            let is_ignored = self.contains(var.index());
            is_ignored.then_some(IrrelevanceFlaw::Copied {
                rule: id,
                var,
                into,
            })
        };
        match changes().find_map(copied) {
            Some(flaw) => Err(flaw),
            None => Ok(()),
        }
    }

    /// One of them that preconditions test, for a value or for equality with another.
    fn tested(&self, preconditions: &[Term]) -> Option<VarId> {
        let tests = preconditions.iter().enumerate();
        tests
            .filter(|(position, term)| !term.is_own_variable(*position))
            .flat_map(|(position, term)| {
                let other = term.as_variable().map(VarId::index);
                std::iter::once(position).chain(other)
            })
            .find(|position| self.contains(*position))
            .map(VarId::from_index)
    }

    /// Whether a position is one of them.
    pub(crate) fn contains(&self, position: usize) -> bool {
        self.is_irrelevant[position]
    }
}
