//! An analysis's knowledge of states with invariants.

use std::borrow::Borrow;
use std::cell::RefCell;

use invariants::{Invariants, Scratch};
use move_prune::Admits;
use psvn_ir::{Term, Value, VarId};

/// The knowledge, owned or borrowed.
pub(crate) struct Known<K>(pub(crate) K);

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::new(Scratch::new());
}

impl<K: Borrow<Invariants> + Sync> Admits for Known<K> {
    fn admits(&self, preconditions: &[Term]) -> bool {
        SCRATCH.with_borrow_mut(|scratch| self.0.borrow().admits_with(scratch, preconditions))
    }

    fn implied(&self, preconditions: &[Term], implied: &mut Vec<(VarId, Value)>) -> bool {
        let mut facts = Vec::new();
        let known = self.0.borrow();
        let is_possible =
            SCRATCH.with_borrow_mut(|it| known.implied(it, preconditions, &mut facts));
        implied.clear();
        implied.extend(facts.iter().map(|fact| (fact.var, fact.value)));
        is_possible
    }
}
