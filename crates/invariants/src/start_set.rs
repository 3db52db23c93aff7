//! The start states of searches.

use psvn_ir::Term;

/// A start state, or a condition that the start states satisfy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StartSet(Box<[Term]>);

impl StartSet {
    /// The start states that match a vector of terms in canonical form, as a goal condition does.
    pub fn matching(pattern: impl Into<Box<[Term]>>) -> Self {
        Self(pattern.into())
    }

    /// Return the vector of terms.
    pub fn pattern(&self) -> &[Term] {
        &self.0
    }
}

impl From<&psvn_ir::State> for StartSet {
    fn from(state: &psvn_ir::State) -> Self {
        Self(state.values().iter().copied().map(Term::constant).collect())
    }
}

impl From<&psvn_ir::Goal> for StartSet {
    fn from(goal: &psvn_ir::Goal) -> Self {
        Self(goal.conditions().into())
    }
}
