//! Rules in canonical form.

use std::sync::Arc;

use crate::rule::canonical::CanonicalRule;

pub(crate) mod canonical;
pub(crate) mod costs;
pub(crate) mod equations;
pub(crate) mod term;

/// A deterministic rule of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The label; rules may share one.
    pub label: Arc<str>,
    /// The index of its source rule.
    pub source: usize,
    /// Its preconditions and actions.
    pub canonical: CanonicalRule,
}
