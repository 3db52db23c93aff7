//! Proves that no rule leads from a state with all invariants to one that lacks one.
//!
//! The preconditions of a rule fix some positions to constants and name unknowns at others. The
//! values that an unknown may have are those that the invariants allow beside the constants. After
//! the rule,
//!
//! * a fact that never holds must not result from a constant or from one of these values;
//! * two facts that never hold together must not result from two values that the invariants allow
//!   together;
//! * the number of facts of a count that hold must not change: each unknown must change it by the
//!   same number for each of its values, and all changes must sum to zero.
//!
//! Only positions that the rule changes, and facts of the same invariant, matter.

use psvn_ir::{CanonicalRule, Game, RuleId, TermKind, Value, VarId};
use rayon::prelude::*;

use crate::invariants::assumptions::Assumptions;
use crate::invariants::{Fact, InvariantFailure, InvariantFlaw, ProvedInvariants};
use crate::limits::{Limits, StopReason};

/// Try all rules.
pub(crate) fn prove(
    game: &Game,
    claimed: &ProvedInvariants,
    limits: &Limits,
) -> Result<(), InvariantFailure> {
    if claimed.is_empty() {
        return Ok(());
    }
    let failure = |number: usize| {
        let rule = RuleId::from_index(number);
        let step = Step::new(&game.rule(rule).canonical, claimed)?;
        match step.broken(limits) {
            Ok(index) => {
                let flaw = InvariantFlaw::MayBreak { rule };
                index.map(|index| InvariantFailure::Flaw { index, flaw })
            }
            Err(reason) => Some(InvariantFailure::Stopped(reason)),
        }
    };
    let rules = (0..game.rules().len()).into_par_iter();
    rules.find_map_first(failure).map_or(Ok(()), Err)
}

/// The source of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    Constant(Value),
    /// The unknown that is named after this position.
    Unknown(usize),
}

/// A rule that can be carried out in a state in which the invariants hold.
struct Step<'a> {
    claimed: &'a ProvedInvariants,
    /// The value of each position before and after the rule.
    before: Vec<Source>,
    after: Vec<Source>,
    /// The positions at which these differ.
    changed: Vec<usize>,
    /// For each unknown, its positions before the rule.
    members: Vec<Vec<usize>>,
    /// The constants before the rule.
    assumptions: Assumptions<'a>,
}

impl<'a> Step<'a> {
    /// `None` if the rule can't be carried out in any state with the invariants.
    fn new(rule: &CanonicalRule, claimed: &'a ProvedInvariants) -> Option<Self> {
        let terms = [rule.preconditions(), rule.actions()];
        let [before, after] = terms.map(|terms| -> Vec<Source> {
            let sources = terms.iter().map(|term| match term.kind() {
                TermKind::Constant(value) => Source::Constant(value),
                TermKind::Variable(unknown) => Source::Unknown(unknown.index()),
            });
            sources.collect()
        });
        let n_variables = before.len();
        let mut assumptions = Assumptions::new(claimed, n_variables);
        let mut members = vec![Vec::new(); n_variables];
        for (position, source) in before.iter().enumerate() {
            match source {
                Source::Constant(value) if !assumptions.assume(position, *value) => return None,
                Source::Constant(_) => {}
                Source::Unknown(unknown) => members[*unknown].push(position),
            }
        }
        let differs = |position: &usize| before[*position] != after[*position];
        let mut step = Self {
            claimed,
            changed: (0..n_variables).filter(differs).collect(),
            before,
            after,
            members,
            assumptions,
        };
        let moved = step.changed.iter();
        let moved = moved.flat_map(|position| [step.before[*position], step.after[*position]]);
        let moved: Vec<Source> = moved.collect();
        let needs_values = |unknown: &usize| {
            step.members[*unknown].len() > 1 || moved.contains(&Source::Unknown(*unknown))
        };
        let concerned: Vec<usize> = (0..n_variables).filter(needs_values).collect();
        concerned
            .into_iter()
            .all(|unknown| !step.values(unknown).is_empty())
            .then_some(step)
    }

    /// The values that an unknown may have.
    fn values(&mut self, unknown: usize) -> Vec<Value> {
        let values = self.claimed.values(unknown);
        let members = &self.members[unknown];
        values
            .filter(|value| self.assumptions.may_hold(members, *value))
            .collect()
    }

    /// The first invariant that the rule may break, as its index in the list.
    fn broken(mut self, limits: &Limits) -> Result<Option<usize>, StopReason> {
        let mut broken = None;
        for i in 0..self.changed.len() {
            limits.check()?;
            broken = broken
                .into_iter()
                .chain(self.broken_fact(self.changed[i]))
                .min();
        }
        Ok(broken.into_iter().chain(self.broken_count(limits)?).min())
    }

    /// The values that a position may hold after the rule.
    fn brought(&mut self, position: usize) -> Vec<Value> {
        match self.after[position] {
            Source::Constant(value) => vec![value],
            Source::Unknown(unknown) => self.values(unknown),
        }
    }

    /// An invariant about single facts, or pairs of them, that a changed position may break.
    fn broken_fact(&mut self, position: usize) -> Option<usize> {
        let claimed = self.claimed;
        let mut broken = None;
        for value in self.brought(position) {
            let about = claimed.about(Fact {
                var: VarId::from_index(position),
                value,
            });
            let mark = self.assumptions.mark();
            if self.may_come(position, value) {
                let pairs = about.excludes.iter();
                let together = pairs
                    .filter(|(other, _)| {
                        let mark = self.assumptions.mark();
                        let may_come = self.may_come(other.var.index(), other.value);
                        self.assumptions.undo(mark);
                        may_come
                    })
                    .map(|(_, index)| *index)
                    .min();
                let found = about.never.into_iter().chain(together);
                broken = broken.into_iter().chain(found).min();
            }
            self.assumptions.undo(mark);
        }
        broken
    }

    /// Assume what leads to a fact after the rule. Return `false` if that is impossible.
    fn may_come(&mut self, position: usize, value: Value) -> bool {
        match self.after[position] {
            Source::Constant(constant) => constant == value,
            Source::Unknown(unknown) => self.assumptions.assume_all(&self.members[unknown], value),
        }
    }

    /// A count that the rule may change.
    fn broken_count(&mut self, limits: &Limits) -> Result<Option<usize>, StopReason> {
        let claimed = self.claimed;
        let touched = self.changed.iter();
        let touched = touched.flat_map(|position| &claimed.counts_of_var[*position]);
        let mut touched: Vec<usize> = touched.copied().collect();
        touched.sort_unstable();
        touched.dedup();
        if touched.is_empty() {
            return Ok(None);
        }
        // The changes, by unknown, and those by constants: position, gained or lost.
        let mut unknowns: Vec<(usize, Vec<(usize, i64)>)> = Vec::new();
        let mut constants: Vec<(usize, Value, i64)> = Vec::new();
        for &position in &self.changed {
            for (source, sign) in [(self.before[position], -1), (self.after[position], 1)] {
                match source {
                    Source::Constant(value) => constants.push((position, value, sign)),
                    Source::Unknown(unknown) => {
                        match unknowns.iter_mut().find(|(other, _)| *other == unknown) {
                            Some((_, changes)) => changes.push((position, sign)),
                            None => unknowns.push((unknown, vec![(position, sign)])),
                        }
                    }
                }
            }
        }
        let values: Vec<Vec<Value>> = unknowns
            .iter()
            .map(|(unknown, _)| self.values(*unknown))
            .collect();
        if values.iter().any(Vec::is_empty) {
            // The rule can't be carried out.
            return Ok(None);
        }
        let is_broken = |count: &usize| {
            let counts = |position: usize, value: Value| {
                let var = VarId::from_index(position);
                let about = claimed.about(Fact { var, value });
                i64::from(about.counts.contains(count))
            };
            let by_constants = constants
                .iter()
                .map(|(position, value, sign)| sign * counts(*position, *value));
            let mut change: i64 = by_constants.sum();
            for ((_, changes), values) in unknowns.iter().zip(&values) {
                let by = |value: &Value| -> i64 {
                    let parts = changes.iter();
                    parts
                        .map(|(position, sign)| sign * counts(*position, *value))
                        .sum()
                };
                let first = by(&values[0]);
                if values.iter().any(|value| by(value) != first) {
                    return true;
                }
                change += first;
            }
            change != 0
        };
        let mut broken = None;
        for count in &touched {
            limits.check()?;
            if is_broken(count) {
                broken = broken
                    .into_iter()
                    .chain([claimed.counts[*count].index])
                    .min();
            }
        }
        Ok(broken)
    }
}
