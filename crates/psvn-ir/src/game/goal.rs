//! Conditions of goals.

use psvn_syntax::Span;

use crate::ids::Value;
use crate::rule::canonical::CanonicalRule;
use crate::rule::term::Term;

/// A condition that goal states satisfy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goal {
    pattern: CanonicalRule,
    /// The goal's place in the file it was read from.
    pub span: Option<Span>,
}

impl Goal {
    /// The goal with these `conditions`, written as in a precondition vector.
    pub fn new(conditions: &[Term], span: Option<Span>) -> Self {
        Self {
            pattern: CanonicalRule::canonicalize(conditions, conditions, 0),
            span,
        }
    }

    /// Return the conditions in canonical form, one term for each position.
    pub fn conditions(&self) -> &[Term] {
        self.pattern.preconditions()
    }

    /// Return whether a state satisfies this condition.
    pub fn holds_in(&self, state: &[Value]) -> bool {
        self.pattern.applies_to(state)
    }
}
