//! The exact test: can one label word always replace another?

use std::ops::ControlFlow;

use budget::StopReason;
use macro_compose::PreparedRule;
use psvn_ir::{CanonicalRule, RuleId, Term, TermKind};

use super::Reason;
use crate::generalization::closed::Closure;
use crate::operators::{Instances, Operators};

/// Carries out operators on states whose entries are terms: constants and unknowns, where each
/// unknown is a separate value.
///
/// A macro-rule generalizes another exactly if it can be carried out on the other's
/// preconditions, read as a state of terms, and leads to its actions. So a possible replacement is
/// not composed but carried out.
pub(super) struct Ground<'a> {
    operators: &'a Operators,
    rules: Vec<PreparedRule>,
    written: Vec<Term>,
}

impl<'a> Ground<'a> {
    pub(super) fn new(rules: &[CanonicalRule], operators: &'a Operators) -> Self {
        Self {
            operators,
            rules: rules.iter().map(PreparedRule::new).collect(),
            written: Vec::new(),
        }
    }

    /// Apply an operator, if one of its rules applies; there is at most one.
    pub(super) fn apply(&mut self, letter: u32, state: &mut [Term]) -> Option<RuleId> {
        let applies = |rule: &&RuleId| {
            let mut tests = self.rules[rule.index()].tests().iter();
            tests.all(|(position, wanted)| {
                state[position.index()]
                    == match wanted.kind() {
                        TermKind::Constant(_) => *wanted,
                        TermKind::Variable(var) => state[var.index()],
                    }
            })
        };
        let rule = *self.operators.rules(letter).iter().find(applies)?;
        let changes = self.rules[rule.index()].changes();
        self.written.clear();
        self.written
            .extend(changes.iter().map(|(_, new)| match new.kind() {
                TermKind::Constant(_) => *new,
                TermKind::Variable(var) => state[var.index()],
            }));
        for ((position, _), new) in changes.iter().zip(&self.written) {
            state[position.index()] = *new;
        }
        Some(rule)
    }

    fn cost(&self, rule: RuleId) -> u64 {
        self.rules[rule.index()].cost()
    }
}

/// An instance that can't be replaced.
pub(super) struct Counterexample {
    pub(super) reason: Reason,
    pub(super) instance: Box<[RuleId]>,
}

/// Search for an instance of `word` that no instance of `earlier` can replace, and report why.
///
/// # Errors
/// Those of `check`, which is called for each instance.
pub(super) fn counterexample(
    instances: &Instances<'_>,
    ground: &mut Ground<'_>,
    word: &[u32],
    earlier: &[u32],
    check: impl Fn() -> Result<(), StopReason>,
) -> Result<Option<Counterexample>, StopReason> {
    let mut result = Ok(None);
    let mut state: Vec<Term> = Vec::with_capacity(instances.n_variables);
    let mut closure = Closure::default();
    // The walk ends early only with a result.
    let _ = instances.visit(word, &mut |instance, composed| {
        if let Err(reason) = check() {
            result = Err(reason);
            return ControlFlow::Break(());
        }
        let closed = closure.close(instances.admits, composed.preconditions, composed.actions);
        let Some(closed) = closed else {
            // No state that matters allows it.
            return ControlFlow::Continue(());
        };
        state.clear();
        state.extend_from_slice(closed.preconditions);
        let mut cost = 0_u128;
        let is_possible = earlier.iter().all(|letter| {
            let rule = ground.apply(*letter, &mut state);
            cost += rule.map_or(0, |rule| u128::from(ground.cost(rule)));
            rule.is_some()
        });
        let reason = if !is_possible {
            Reason::Inapplicable
        } else if state != closed.actions {
            Reason::LeadsElsewhere
        } else if cost > u128::from(composed.cost) {
            Reason::CostsMore
        } else {
            return ControlFlow::Continue(());
        };
        result = Ok(Some(Counterexample {
            reason,
            instance: instance.into(),
        }));
        ControlFlow::Break(())
    });
    result
}
