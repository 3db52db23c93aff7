//! Macro-rules extended by known facts about the states that matter.

use psvn_ir::{CanonicalRule, Term, Value, VarId};

/// Return the macro-rule with more known values than its preconditions state.
pub(crate) fn closed(rule: &CanonicalRule, implied: &[(VarId, Value)]) -> CanonicalRule {
    let mut preconditions = rule.preconditions().to_vec();
    for (position, value) in implied {
        preconditions[position.index()] = Term::constant(*value);
    }
    CanonicalRule::canonicalize(&preconditions, rule.actions(), rule.cost())
}
