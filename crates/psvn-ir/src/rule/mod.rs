//! Rules in canonical form.

use std::sync::Arc;

use crate::rule::canonical::CanonicalRule;

pub(crate) mod canonical;
pub(crate) mod term;

/// A deterministic rule of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The label; rules may share one.
    pub label: Arc<str>,
    /// The index of the source rule that this is an instance of.
    pub source: usize,
    /// What it demands and does.
    pub canonical: CanonicalRule,
}
