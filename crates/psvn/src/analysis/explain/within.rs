//! Macro-rules in states with invariants.

use invariants::{Invariants, Scratch};
use psvn_ir::{CanonicalRule, Game, Term};

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
    let mut preconditions = rule.preconditions().to_vec();
    for fact in &implied {
        preconditions[fact.var.index()] = Term::constant(fact.value);
    }
    // An implied value of an unknown also holds at the unknown's own position.
    let resolve = |term: &Term| {
        let unknown = term.as_variable();
        unknown.map_or(*term, |unknown| preconditions[unknown.index()])
    };
    let actions: Vec<Term> = rule.actions().iter().map(resolve).collect();
    let facts = implied.iter().map(|fact| {
        let value = game.format_term(fact.var, Term::constant(fact.value));
        format!("x{} = {value}", fact.var.0 + 1)
    });
    let facts = facts.collect();
    let closed = CanonicalRule::canonicalize(&preconditions, &actions, rule.cost());
    Some((closed, facts))
}
