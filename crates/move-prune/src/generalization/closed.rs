//! Macro-rules extended by facts that are known besides their preconditions.
//!
//! The demands of a sequence are stored as its rules state them. But to find a replacement, the
//! sequence is read in the states that matter: a test also holds there if it follows from the
//! preconditions, and writing the value that a position is known to hold isn't a change.

use psvn_ir::{CanonicalRule, Term, Value, VarId};

use crate::analysis::Admits;

/// Scratch space for a macro-rule extended by known facts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Closure {
    implied: Vec<(VarId, Value)>,
    preconditions: Vec<Term>,
    actions: Vec<Term>,
}

/// A macro-rule in the states that matter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Closed<'a> {
    pub(crate) preconditions: &'a [Term],
    pub(crate) actions: &'a [Term],
    /// Whether knowledge adds facts to its preconditions.
    pub(crate) is_more: bool,
}

impl Closure {
    /// Add known facts to a macro-rule; `None` if no state that matters allows it.
    #[inline]
    pub(crate) fn close<'s>(
        &'s mut self,
        admits: Option<&dyn Admits>,
        preconditions: &'s [Term],
        actions: &'s [Term],
    ) -> Option<Closed<'s>> {
        let as_it_is = Closed {
            preconditions,
            actions,
            is_more: false,
        };
        let Some(admits) = admits else {
            return Some(as_it_is);
        };
        if !admits.implied(preconditions, &mut self.implied) {
            return None;
        }
        if self.implied.is_empty() {
            return Some(as_it_is);
        }
        self.preconditions.clear();
        self.preconditions.extend_from_slice(preconditions);
        for (var, value) in &self.implied {
            self.preconditions[var.index()] = Term::constant(*value);
        }
        self.actions.clear();
        let known = &self.preconditions;
        // The value of a known unknown is found at its own position.
        let resolve = |term: &Term| term.as_variable().map_or(*term, |var| known[var.index()]);
        self.actions.extend(actions.iter().map(resolve));
        Some(Closed {
            preconditions: &self.preconditions,
            actions: &self.actions,
            is_more: true,
        })
    }
}

/// Return a macro-rule with more known values than its preconditions state, as
/// [`Admits::implied`] lists them.
pub fn closed(rule: &CanonicalRule, implied: &[(VarId, Value)]) -> CanonicalRule {
    let mut preconditions = rule.preconditions().to_vec();
    for (position, value) in implied {
        preconditions[position.index()] = Term::constant(*value);
    }
    CanonicalRule::canonicalize(&preconditions, rule.actions(), rule.cost())
}
