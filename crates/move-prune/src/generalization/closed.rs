//! Macro-rules with all that is known beside their preconditions.
//!
//! What a sequence demands is stored as the rules say it. But to find out what can replace it, it
//! is read in the states that matter: a test holds there also if it follows from the preconditions,
//! and to write the value that a position is known to hold is no change.

use psvn_ir::{Term, Value, VarId};

use crate::analysis::Admits;

/// Room for a macro-rule with all that is known.
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
    /// Whether more is known of it than its preconditions say.
    pub(crate) is_more: bool,
}

impl Closure {
    /// Add what is known to a macro-rule; `None` where no state that matters allows it.
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
        // Where an unknown is known, it is known at its own position.
        let resolve = |term: &Term| term.as_variable().map_or(*term, |var| known[var.index()]);
        self.actions.extend(actions.iter().map(resolve));
        Some(Closed {
            preconditions: &self.preconditions,
            actions: &self.actions,
            is_more: true,
        })
    }
}
