//! Rules run backwards.

use psvn_ir::CanonicalRule;

/// A backward rule: from a state to its predecessors.
#[derive(Clone, Debug)]
pub(crate) struct Backward {
    pub(crate) rule: CanonicalRule,
    /// The cost, in units of the table.
    pub(crate) cost: u64,
}
