//! From a source rule to canonical rules, one for each combination of values of its unbound
//! symbols.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use crate::ids::{SymbolId, Value, VarId};
use crate::rule::Rule;
use crate::rule::canonical::CanonicalRule;
use crate::rule::term::Term;
use crate::source::cell::{Cell, CellKind, SourceRule};
use crate::source::limits::RULES_BETWEEN_CHECKS;

/// A rule has more instances than are allowed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "its unbound symbols expand it to {instances} rules, and the limit is {limit} for the whole game"
)]
pub struct TooManyRules {
    /// The number of instances of this rule (saturated).
    pub instances: u128,
    /// The limit.
    pub limit: usize,
}

/// Why source rules can't be expanded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ExpandError {
    /// The source rule with this index is the first one that exceeds the limit.
    TooMany { source: usize, error: TooManyRules },
    /// `stop` ended the expansion.
    Stopped,
}

/// A rule's unbound symbols: those of its right side that its left side doesn't bind, in order,
/// each with the size of its domain.
pub(crate) fn unbound_symbols(
    rule: &SourceRule,
    domain_size: impl Fn(VarId) -> usize,
) -> Vec<(SymbolId, usize)> {
    let mut seen = bindings(&rule.lhs);
    let mut unbound: Vec<(SymbolId, usize)> = Vec::new();
    for (i, cell) in rule.rhs.iter().enumerate() {
        if let CellKind::Symbol(symbol) = cell.kind
            && let Entry::Vacant(slot) = seen.entry(symbol)
        {
            let position = VarId::from_index(i);
            slot.insert(position);
            unbound.push((symbol, domain_size(position)));
        }
    }
    unbound
}

/// The number of rules that unbound symbols stand for (saturated).
pub(crate) fn n_instances(unbound: &[(SymbolId, usize)]) -> u128 {
    unbound.iter().fold(1_u128, |product, (_, size)| {
        product.saturating_mul(*size as u128)
    })
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

/// The deterministic rules that source rules stand for, in order.
///
/// Rules that change nothing are included; only a row that says nothing stands for no rule (see
/// [`SourceRule::says_nothing`]).
///
/// # Errors
/// When there are more than `limit` rules, or `stop` ends the expansion.
pub(crate) fn instances(
    source_rules: &[SourceRule],
    domain_size: impl Fn(VarId) -> usize,
    limit: usize,
    stop: &dyn Fn() -> bool,
) -> Result<Vec<Rule>, ExpandError> {
    let mut rules = Vec::with_capacity(source_rules.len().min(limit));
    for (source, rule) in source_rules.iter().enumerate() {
        if source % RULES_BETWEEN_CHECKS == 0 && stop() {
            return Err(ExpandError::Stopped);
        }
        if rule.says_nothing() {
            continue;
        }
        let unbound = unbound_symbols(rule, &domain_size);
        let instances = n_instances(&unbound);
        if instances > (limit - rules.len()) as u128 {
            let error = TooManyRules { instances, limit };
            return Err(ExpandError::TooMany { source, error });
        }
        rules.reserve(instances as usize);
        expand(rule, &unbound, stop, |canonical| {
            rules.push(Rule {
                label: Arc::clone(&rule.label),
                source,
                canonical,
            });
        })?;
    }
    Ok(rules)
}

/// Make the canonical rules that a source rule stands for.
///
/// The instances of a non-deterministic rule come with the highest value first and the last symbol
/// varying fastest. That is the order of the grounded files in circulation, and the order of rules
/// decides which of two equivalent sequences is kept.
fn expand(
    rule: &SourceRule,
    unbound: &[(SymbolId, usize)],
    stop: &dyn Fn() -> bool,
    mut add: impl FnMut(CanonicalRule),
) -> Result<(), ExpandError> {
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
    // All instances have these actions, except at the positions of unbound symbols.
    let slots: HashMap<SymbolId, usize, ahash::RandomState> = unbound
        .iter()
        .enumerate()
        .map(|(slot, (symbol, _))| (*symbol, slot))
        .collect();
    let mut places: Vec<Vec<usize>> = vec![Vec::new(); unbound.len()];
    let highest = |slot: usize| Term::constant(Value::from_index(unbound[slot].1 - 1));
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
                    places[slots[&symbol]].push(i);
                    highest(slots[&symbol])
                }
            },
        })
        .collect();
    let first = CanonicalRule::canonicalize(&preconditions, &actions, rule.cost);
    if unbound.is_empty() {
        add(first);
        return Ok(());
    }
    let mut actions: Vec<Term> = first.actions().to_vec();
    let mut values: Vec<usize> = unbound.iter().map(|(_, size)| size - 1).collect();
    let mut made = 0_usize;
    loop {
        add(first.with_actions(&actions));
        made += 1;
        if made.is_multiple_of(RULES_BETWEEN_CHECKS) && stop() {
            return Err(ExpandError::Stopped);
        }
        // Count down; the last symbol is the fastest digit.
        let Some(digit) = values.iter().rposition(|value| *value > 0) else {
            return Ok(());
        };
        values[digit] -= 1;
        for (value, (_, size)) in values.iter_mut().zip(unbound).skip(digit + 1) {
            *value = size - 1;
        }
        for slot in digit..values.len() {
            for place in &places[slot] {
                actions[*place] = Term::constant(Value::from_index(values[slot]));
            }
        }
    }
}
