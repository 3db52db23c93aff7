//! The options of an analysis.

use budget::Limits;
use psvn_ir::{RuleId, Term, Value, VarId};

use crate::words::order::Order;

/// Knowledge about the states that matter: those that a search will meet. It must hold in all
/// states that rules reach from them.
///
/// A function from precondition vectors to `bool` knows only which of them are possible.
pub trait Admits: Sync {
    /// Return whether some state that matters satisfies a precondition vector. `false` must be
    /// certain.
    fn admits(&self, preconditions: &[Term]) -> bool;

    /// List the values, besides its constants, that follow from a precondition vector in all states
    /// that matter. Return whether there may be such a state: `false` must be certain, and is the
    /// answer for a vector that isn't [admitted](Self::admits).
    ///
    /// If an unknown occurs at several positions, all of them are listed or none. A vector with
    /// more constants or more equal unknowns must imply no less, and adding the implied values to a
    /// vector must imply nothing more. Otherwise redundancy by way of such values would not be
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

/// What to analyze, and up to which limits.
#[derive(Clone, Default)]
pub struct Options<'a> {
    /// The length of the longest sequences that are compared: the papers' l. With 1, only redundant
    /// single rules are found; with 0, none.
    pub max_length: usize,
    /// The limits of the analysis.
    pub limits: Limits,
    /// Knowledge about the states that a search will meet. Sequences whose preconditions it doesn't
    /// admit count as impossible, and replacements need to work only where it allows. The result
    /// then holds for those states only.
    pub admits: Option<&'a dyn Admits>,
    /// The order in which rules are compared, each rule once; if `None`, the order of the rules
    /// themselves. Any order is safe, and some prune much more than others.
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
