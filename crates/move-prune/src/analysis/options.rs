//! What to analyze, and how far.

use budget::Limits;
use psvn_ir::{RuleId, Term};

use crate::words::order::Order;

/// Says of a precondition vector whether some state that matters satisfies it.
pub type Admits<'a> = dyn Fn(&[Term]) -> bool + Sync + 'a;

/// What to analyze, and how far.
#[derive(Clone, Default)]
pub struct Options<'a> {
    /// The length of the longest sequences that are compared: the papers' l. 1 finds redundant
    /// single rules, 0 nothing.
    pub max_length: usize,
    /// What the analysis may use.
    pub limits: Limits,
    /// Knowledge about the states that a search will meet. Sequences whose preconditions it doesn't
    /// admit are taken as impossible. What is found then holds for those states only.
    pub admits: Option<&'a Admits<'a>>,
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
