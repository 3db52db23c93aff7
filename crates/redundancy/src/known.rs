//! Invariants as what an analysis assumes of states.

use std::cell::RefCell;

use invariants::{Fact, Invariants, Scratch};
use move_prune::{Admits, closed};
use psvn_ir::{CanonicalRule, Game, Term, Value, VarId};

thread_local! {
    /// Scratch space for testing preconditions.
    static SCRATCH: RefCell<Scratch> = RefCell::new(Scratch::new());
    /// Scratch space for implied facts.
    static IMPLIED: RefCell<Vec<Fact>> = const { RefCell::new(Vec::new()) };
}

/// The facts that invariants imply, for an analysis.
#[derive(Clone, Copy, Debug)]
pub struct Known<'a>(pub &'a Invariants);

impl Admits for Known<'_> {
    fn admits(&self, preconditions: &[Term]) -> bool {
        SCRATCH.with_borrow_mut(|scratch| self.0.admits_with(scratch, preconditions))
    }

    fn implied(&self, preconditions: &[Term], implied: &mut Vec<(VarId, Value)>) -> bool {
        SCRATCH.with_borrow_mut(|scratch| {
            IMPLIED.with_borrow_mut(|facts| {
                let is_possible = self.0.implied(scratch, preconditions, facts);
                implied.clear();
                for fact in facts {
                    implied.push((fact.var, fact.value));
                }
                is_possible
            })
        })
    }
}

/// Return whether some state with these invariants satisfies a precondition vector.
pub fn admits(known: &Invariants) -> impl Fn(&[Term]) -> bool + Send + Sync + Clone + 'static {
    let known = known.clone();
    move |preconditions| {
        SCRATCH.with_borrow_mut(|scratch| known.admits_with(scratch, preconditions))
    }
}

/// Return the rules of a game as an analysis takes them.
pub fn canonical_rules(game: &Game) -> Vec<CanonicalRule> {
    game.rules()
        .iter()
        .map(|rule| rule.canonical.clone())
        .collect()
}

/// Return a macro-rule with the values that invariants imply beside its preconditions, and those
/// values as text; `None` where no state with the invariants allows it.
pub(crate) fn close_within(
    game: &Game,
    known: &Invariants,
    rule: &CanonicalRule,
) -> Option<(CanonicalRule, Vec<String>)> {
    let mut implied = Vec::new();
    if !known.implied(&mut Scratch::new(), rule.preconditions(), &mut implied) {
        return None;
    }
    implied.sort_by_key(|fact| fact.var);
    let facts = implied
        .iter()
        .map(|fact| game.format_fact(fact.var, fact.value));
    let facts = facts.collect();
    let values: Vec<(VarId, Value)> = implied.iter().map(|fact| (fact.var, fact.value)).collect();
    Some((closed(rule, &values), facts))
}
