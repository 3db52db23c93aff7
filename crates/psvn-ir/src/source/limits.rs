//! Limits for reading a game.

use std::fmt;

use crate::rule::Rule;
use crate::rule::term::Term;

/// The default of the most rules that a game may have after unbound symbols are expanded. The
/// largest games in circulation have some 190,000.
pub const DEFAULT_RULE_LIMIT: usize = 1_000_000;

/// The number of rules made between two calls of [`LoadLimits::stop`].
pub(crate) const RULES_BETWEEN_CHECKS: usize = 1 << 12;

/// Limits for reading a game.
#[derive(Clone, Copy)]
pub struct LoadLimits<'a> {
    /// The most rules that the game may have after its unbound symbols are expanded.
    pub rules: usize,
    /// The most bytes that the text's tree or the game's rules may take, estimated in advance.
    pub memory: usize,
    /// Returns whether to stop. It is called every few thousand steps, so it must be cheap.
    pub stop: &'a dyn Fn() -> bool,
}

impl Default for LoadLimits<'_> {
    /// [`DEFAULT_RULE_LIMIT`] rules, and no other limit.
    fn default() -> Self {
        Self {
            rules: DEFAULT_RULE_LIMIT,
            memory: usize::MAX,
            stop: &|| false,
        }
    }
}

impl LoadLimits<'_> {
    /// Return the approximate bytes that a text with this number of words takes in its syntax tree
    /// and in the game: what is compared with [`memory`](Self::memory) before the text is parsed.
    pub fn bytes_of_words(words: usize) -> usize {
        const BYTES_OF_WORD: usize = 224;
        words.saturating_mul(BYTES_OF_WORD)
    }
}

impl fmt::Debug for LoadLimits<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LoadLimits")
            .field("rules", &self.rules)
            .field("memory", &self.memory)
            .finish_non_exhaustive()
    }
}

/// Which limit ended the reading of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LoadStop {
    /// The rules or the text would take more than [`LoadLimits::memory`]. A diagnostic says where.
    Size,
    /// There are more rules than [`LoadLimits::rules`]. A diagnostic says where.
    Rules,
    /// [`LoadLimits::stop`] returned true.
    Requested,
}

/// The bytes of an allocation beside its contents: a header, and a reference count.
pub(crate) const ALLOCATION: usize = 32;

/// The bytes that a source rule takes which has `n_variables` positions and stands for `instances`
/// rules. They share their preconditions.
pub(crate) fn bytes_of_rules(n_variables: usize, instances: u128) -> u128 {
    let terms = (n_variables * size_of::<Term>() + ALLOCATION) as u128;
    let each = terms + size_of::<Rule>() as u128;
    terms.saturating_add(instances.saturating_mul(each))
}
