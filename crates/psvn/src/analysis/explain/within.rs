//! Macro-rules in states with invariants.

use invariants::{Invariants, Scratch};
use move_prune::closed;
use psvn_ir::{CanonicalRule, Game, Term, Value, VarId};

/// A macro-rule with the values that invariants imply beside its preconditions, and those values as
/// text; `None` where no state with the invariants allows it.
pub(crate) fn close(
    game: &Game,
    known: &Invariants,
    rule: &CanonicalRule,
) -> Option<(CanonicalRule, Vec<String>)> {
    let mut implied = Vec::new();
    if !known.implied(&mut Scratch::new(), rule.preconditions(), &mut implied) {
        return None;
    }
    implied.sort_by_key(|fact| fact.var);
    let facts = implied.iter().map(|fact| {
        let value = game.format_term(fact.var, Term::constant(fact.value));
        format!("x{} = {value}", fact.var.0 + 1)
    });
    let facts = facts.collect();
    let values: Vec<(VarId, Value)> = implied.iter().map(|fact| (fact.var, fact.value)).collect();
    Some((closed(rule, &values), facts))
}
