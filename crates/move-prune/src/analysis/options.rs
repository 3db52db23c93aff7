//! What to analyze, and how far.

use budget::Limits;
use psvn_ir::{RuleId, Term, Value, VarId};

use crate::words::order::Order;

/// Knowledge about the states that a search will meet, those that matter. It must hold in all
/// states that rules lead to from there.
///
/// A function from precondition vectors to `bool` knows only which of them are possible.
pub trait Admits: Sync {
    /// Whether some state that matters satisfies a precondition vector. `false` must be certain.
    fn admits(&self, preconditions: &[Term]) -> bool;

    /// List the values that all states that matter hold if they satisfy a precondition vector,
    /// beside its constants. Return whether there may be such a state: `false` must be certain, and
    /// is what a vector that isn't [admitted](Self::admits) gives.
    ///
    /// Of an unknown that stands at several positions, all of them are listed or none. A vector
    /// with more constants or more equal unknowns must imply no less, and a vector with the implied
    /// values in it nothing more: what is redundant by way of such values would otherwise not be
    /// transitive.
    fn implied(&self, preconditions: &[Term], implied: &mut Vec<(VarId, Value)>) -> bool {
        implied.clear();
        self.admits(preconditions)
    }
}

impl<F: Fn(&[Term]) -> bool + Sync> Admits for F {
    fn admits(&self, preconditions: &[Term]) -> bool {
        self(preconditions)
    }
}

/// What to analyze, and how far.
#[derive(Clone, Default)]
pub struct Options<'a> {
    /// The length of the longest sequences that are compared: the papers' l. 1 finds redundant
    /// single rules, 0 nothing.
    pub max_length: usize,
    /// What the analysis may use.
    pub limits: Limits,
    /// Knowledge about the states that a search will meet. Sequences whose preconditions it doesn't
    /// admit are taken as impossible, and replacements need serve only where it allows. What is
    /// found then holds for those states only.
    pub admits: Option<&'a dyn Admits>,
    /// The order in which rules are compared, each rule once; the order in which they stand if
    /// `None`. Any order is safe, and some prune much more than others.
    pub rule_order: Option<&'a [RuleId]>,
    /// The order in which words are compared.
    pub order: Order,
}

impl Options<'_> {
    /// Sequences up to a length, without limits and without knowledge about states.
    pub fn up_to(max_length: usize) -> Self {
        Self {
            max_length,
            ..Self::default()
        }
    }
}

impl std::fmt::Debug for Options<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Options")
            .field("max_length", &self.max_length)
            .field("limits", &self.limits)
            .field("admits", &self.admits.map(|_| "some states"))
            .field("rule_order", &self.rule_order)
            .field("order", &self.order)
            .finish()
    }
}
