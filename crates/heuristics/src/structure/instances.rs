//! Rules with values in place of unknowns.

use psvn_ir::{CanonicalRule, Game, Term, TermKind, Value, VarId};

use crate::refusal::Refusal;

/// Return whether the instances of all rules need and add at most `most_terms` facts.
pub(crate) fn are_few(game: &Game, most_terms: usize) -> bool {
    let mut rules = game.rules().iter();
    let left = rules.try_fold(most_terms as u128, |left, rule| {
        left.checked_sub(n_terms(game, &rule.canonical))
    });
    left.is_some()
}

/// Pass on the instances of all rules, or the rules themselves; see [`of_rule`].
///
/// # Errors
/// The first one of `each`.
pub(crate) fn of_rules(
    game: &Game,
    has_instances: bool,
    each: &mut Each<'_>,
) -> Result<(), Refusal> {
    let mut rules = game.rules().iter();
    rules.try_for_each(|rule| of_rule_or_itself(game, &rule.canonical, has_instances, each))
}

/// Pass on the instances of a rule, or the rule itself; see [`of_rule`].
///
/// # Errors
/// The first one of `each`.
pub(crate) fn of_rule_or_itself(
    game: &Game,
    rule: &CanonicalRule,
    has_instances: bool,
    each: &mut Each<'_>,
) -> Result<(), Refusal> {
    if has_instances {
        of_rule(game, rule, each)
    } else {
        each(rule)
    }
}

/// Pass on the instances of a rule: one for each combination of values of the unknowns that it
/// moves, or that must be equal in several variables. Some may change nothing.
///
/// One at a time, since each is as wide as the game.
///
/// # Errors
/// The first one of `each`.
fn of_rule(game: &Game, rule: &CanonicalRule, each: &mut Each<'_>) -> Result<(), Refusal> {
    let mut values = vec![None; rule.n_variables()];
    pass_on(game, rule, &unknowns(rule), &mut values, each)
}

/// Takes an instance, or a rule.
pub(crate) type Each<'e> = dyn FnMut(&CanonicalRule) -> Result<(), Refusal> + 'e;

/// The positions of the unknowns for which instances have values.
fn unknowns(rule: &CanonicalRule) -> Vec<VarId> {
    let mut is_needed = vec![false; rule.n_variables()];
    for (_, test) in rule.tests() {
        if let TermKind::Variable(first) = test.kind() {
            is_needed[first.index()] = true;
        }
    }
    for (_, action) in rule.changes() {
        if let TermKind::Variable(first) = action.kind() {
            is_needed[first.index()] = true;
        }
    }
    let positions = is_needed.iter().enumerate();
    let needed = positions.filter(|(_, is_needed)| **is_needed);
    needed.map(|(i, _)| VarId::from_index(i)).collect()
}

/// The most facts that the instances of a rule need and add.
fn n_terms(game: &Game, rule: &CanonicalRule) -> u128 {
    let unknowns = unknowns(rule);
    let sizes = unknowns
        .iter()
        .map(|var| game.domain_of(*var).size() as u128);
    let n_instances = sizes.fold(1, u128::saturating_mul);
    let of_instance = rule.tests().count() + rule.changes().count() + unknowns.len() + 1;
    n_instances.saturating_mul(of_instance as u128)
}

/// Pass on the instances with some values, for all values of the other unknowns; those of the last
/// one vary fastest.
fn pass_on(
    game: &Game,
    rule: &CanonicalRule,
    unknowns: &[VarId],
    values: &mut [Option<Value>],
    each: &mut Each<'_>,
) -> Result<(), Refusal> {
    let Some((unknown, others)) = unknowns.split_first() else {
        let replace = |term: &Term| match term.kind() {
            TermKind::Variable(first) => values[first.index()].map_or(*term, Term::constant),
            TermKind::Constant(_) => *term,
        };
        let replaced = |terms: &[Term]| -> Vec<Term> { terms.iter().map(replace).collect() };
        let (before, after) = (replaced(rule.preconditions()), replaced(rule.actions()));
        return each(&CanonicalRule::canonicalize(&before, &after, rule.cost()));
    };
    let term = Term::variable(*unknown);
    let terms = rule.preconditions().iter().zip(rule.actions()).enumerate();
    let holders = terms.filter(|(_, (before, after))| **before == term || **after == term);
    let sizes = holders.map(|(i, _)| game.domain_of(VarId::from_index(i)).size());
    // A value that one of the variables doesn't have can't be moved there.
    for value in 0..sizes.min().unwrap_or(0) {
        values[unknown.index()] = Some(Value::from_index(value));
        pass_on(game, rule, others, values, each)?;
    }
    values[unknown.index()] = None;
    Ok(())
}
