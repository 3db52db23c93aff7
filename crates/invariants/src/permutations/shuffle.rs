//! Rules that only move values between positions.

use psvn_ir::{CanonicalRule, TermKind, Value, VarId};

/// The movements of a rule: position i gets the value of position `from[i]`.
pub(super) struct Shuffle {
    pub(super) from: Vec<usize>,
    pub(super) is_odd: bool,
    /// For each position, the value that the rule tests for.
    pub(super) tested: Vec<Option<Value>>,
}

impl Shuffle {
    /// The movements of a rule; `None` if it loses, copies or creates a value, or tests for equal
    /// ones.
    pub(super) fn of(rule: &CanonicalRule) -> Option<Self> {
        let p = rule.preconditions();
        let mut tested = vec![None; p.len()];
        let mut home = std::collections::HashMap::<Value, usize, ahash::RandomState>::default();
        for (position, term) in p.iter().enumerate() {
            match term.kind() {
                TermKind::Constant(value) => {
                    tested[position] = Some(value);
                    // A rule that tests for the same value twice applies to no relevant state.
                    home.insert(value, position);
                }
                TermKind::Variable(var) if var.index() != position => return None,
                TermKind::Variable(_) => {}
            }
        }
        let source = |term: &psvn_ir::Term| match term.kind() {
            TermKind::Constant(value) => home.get(&value).copied(),
            TermKind::Variable(var) => Some(VarId::index(var)),
        };
        let from: Vec<usize> = rule.actions().iter().map(source).collect::<Option<_>>()?;
        let mut seen = vec![false; from.len()];
        for place in &from {
            if std::mem::replace(&mut seen[*place], true) {
                return None;
            }
        }
        Some(Self {
            is_odd: is_odd(&from),
            from,
            tested,
        })
    }
}

/// Whether a permutation is odd.
pub(super) fn is_odd(permutation: &[usize]) -> bool {
    let mut seen = vec![false; permutation.len()];
    let mut odd = false;
    for start in 0..permutation.len() {
        let mut place = start;
        while !std::mem::replace(&mut seen[place], true) {
            place = permutation[place];
            odd ^= place != start;
        }
    }
    odd
}
