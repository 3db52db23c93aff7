//! Macro-rules with all that is known of the states that matter.

use psvn_ir::{CanonicalRule, Term, Value, VarId};

/// A macro-rule where more values are known than its preconditions say.
pub(crate) fn closed(rule: &CanonicalRule, implied: &[(VarId, Value)]) -> CanonicalRule {
    let mut preconditions = rule.preconditions().to_vec();
    for (position, value) in implied {
        preconditions[position.index()] = Term::constant(*value);
    }
    CanonicalRule::canonicalize(&preconditions, rule.actions(), rule.cost())
}
