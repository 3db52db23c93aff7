//! Rules run backwards.

use psvn_ir::CanonicalRule;

/// A backward rule: from a state to its predecessors.
#[derive(Clone, Debug)]
pub(crate) struct Backward {
    pub(crate) rule: CanonicalRule,
    /// The cost, in units of the table.
    pub(crate) cost: u64,
    /// The number of the rule in the game.
    pub(crate) source: usize,
    /// Variables with values that the predecessor doesn't have, although the rule's conditions
    /// don't say so.
    pub(crate) forbidden: Vec<(u32, u32)>,
}
