//! From a source rule to canonical rules: one for each combination of values of its unbound symbols.

use std::collections::HashMap;
use std::sync::Arc;

use crate::cell::{Cell, CellKind, SourceRule};
use crate::game::Rule;
use crate::ids::{SymbolId, Value, VarId};
use crate::rule::CanonicalRule;
use crate::term::Term;

/// A rule has more instances than are allowed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "its unbound symbols stand for {instances} rules, and the limit is {limit} for the whole game"
)]
pub struct TooManyRules {
    /// The number of instances of this rule (saturated).
    pub instances: u128,
    /// The limit.
    pub limit: usize,
}

/// A rule's unbound symbols: those of its right side that its left side doesn't bind, in order, each
/// with the size of its domain.
pub(crate) fn unbound_symbols(
    rule: &SourceRule,
    domain_size: impl Fn(VarId) -> usize,
) -> Vec<(SymbolId, usize)> {
    let bound = bindings(&rule.lhs);
    let mut unbound: Vec<(SymbolId, usize)> = Vec::new();
    for (i, cell) in rule.rhs.iter().enumerate() {
        if let CellKind::Symbol(symbol) = cell.kind
            && !bound.contains_key(&symbol)
            && unbound.iter().all(|(other, _)| *other != symbol)
        {
            unbound.push((symbol, domain_size(VarId::from_index(i))));
        }
    }
    unbound
}

/// The first position where each symbol is bound. A starred symbol is not bound.
fn bindings(lhs: &[Cell]) -> HashMap<SymbolId, VarId, ahash::RandomState> {
    let mut bound = HashMap::default();
    for (i, cell) in lhs.iter().enumerate() {
        if let (CellKind::Symbol(symbol), false) = (cell.kind, cell.starred) {
            bound.entry(symbol).or_insert(VarId::from_index(i));
        }
    }
    bound
}

/// The deterministic rules that source rules stand for, in order. Those that test and change nothing
/// are left out.
///
/// # Errors
/// When there are more than `limit`; names the first source rule that doesn't fit.
pub(crate) fn instances(
    source_rules: &[SourceRule],
    domain_size: impl Fn(VarId) -> usize,
    limit: usize,
) -> Result<Vec<Rule>, (usize, TooManyRules)> {
    let mut rules = Vec::with_capacity(source_rules.len());
    for (source, rule) in source_rules.iter().enumerate() {
        let expanded = expand(rule, &domain_size, limit - rules.len())
            .map_err(|error| (source, TooManyRules { limit, ..error }))?;
        let with_effect = expanded
            .into_iter()
            .filter(|canonical| !canonical.is_identity());
        rules.extend(with_effect.map(|canonical| Rule {
            label: Arc::clone(&rule.label),
            source,
            canonical,
        }));
    }
    Ok(rules)
}

/// The canonical rules that a source rule stands for.
///
/// The instances of a non-deterministic rule come with the highest value first and the last symbol
/// varying fastest. That is the order of the grounded files in circulation, and the order of rules
/// decides which of two equivalent sequences is kept.
///
/// # Errors
/// When there are more than `limit`.
fn expand(
    rule: &SourceRule,
    domain_size: impl Fn(VarId) -> usize,
    limit: usize,
) -> Result<Vec<CanonicalRule>, TooManyRules> {
    let unbound = unbound_symbols(rule, domain_size);
    let instances = unbound.iter().fold(1_u128, |product, (_, size)| {
        product.saturating_mul(*size as u128)
    });
    if instances > limit as u128 {
        return Err(TooManyRules { instances, limit });
    }
    let bound = bindings(&rule.lhs);
    let preconditions: Vec<Term> = rule
        .lhs
        .iter()
        .enumerate()
        .map(|(i, cell)| match cell.kind {
            _ if cell.starred => Term::variable(VarId::from_index(i)),
            CellKind::Dash => Term::variable(VarId::from_index(i)),
            CellKind::Constant(value) => Term::constant(value),
            CellKind::Symbol(symbol) => Term::variable(bound[&symbol]),
        })
        .collect();
    let mut values: Vec<usize> = unbound.iter().map(|(_, size)| size - 1).collect();
    let mut rules = Vec::with_capacity(instances as usize);
    loop {
        let actions: Vec<Term> = rule
            .rhs
            .iter()
            .enumerate()
            .map(|(i, cell)| match cell.kind {
                CellKind::Dash => Term::variable(VarId::from_index(i)),
                CellKind::Constant(value) => Term::constant(value),
                CellKind::Symbol(symbol) => match bound.get(&symbol) {
                    Some(position) => Term::variable(*position),
                    None => {
                        let slot = unbound.iter().position(|(other, _)| *other == symbol);
                        let slot = slot.expect("a symbol that is not bound is in the list");
                        Term::constant(Value::from_index(values[slot]))
                    }
                },
            })
            .collect();
        rules.push(CanonicalRule::canonicalize(
            &preconditions,
            &actions,
            rule.cost,
        ));
        // Count down; the last symbol is the fastest digit.
        let Some(digit) = values.iter().rposition(|value| *value > 0) else {
            return Ok(rules);
        };
        values[digit] -= 1;
        for (value, (_, size)) in values.iter_mut().zip(&unbound).skip(digit + 1) {
            *value = size - 1;
        }
    }
}
