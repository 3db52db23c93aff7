//! What walks say: of a node, of what they leave out, and of how they ended.

use crate::run::limits::StopReason;

/// What a task says of a node.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Visit<K> {
    /// Generated, and to be expanded.
    Enter(K),
    /// Generated, and not to be expanded.
    Leaf,
    /// Generated, and not to be expanded because it lies beyond the bound.
    CutOff,
    /// Not part of the tree, because it lies beyond the bound.
    Beyond,
    /// Generated, and the end of the search.
    Goal,
    /// Generated, and a goal that is better than those before: the way to it is noted, and the
    /// search goes on.
    Better,
}

/// How a walk ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// The whole tree was visited.
    Exhausted,
    /// The task found its goal, by these rules.
    Goal(Vec<u32>),
    /// A limit.
    Stopped(StopReason),
}

/// A solution: its estimated total cost, which is its cost times the weight's denominator, and its
/// rules.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) total: u64,
    pub(crate) rules: Vec<u32>,
}

/// The least estimated total cost beyond a bound.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Least {
    least: u64,
    seen: bool,
}

impl Default for Least {
    fn default() -> Self {
        Self {
            least: u64::MAX,
            seen: false,
        }
    }
}

impl Least {
    /// The least of both.
    pub(crate) fn merge(&mut self, other: Self) {
        self.least = self.least.min(other.least);
        self.seen |= other.seen;
    }

    /// `None` when no node was beyond it.
    pub(crate) fn total(self) -> Option<u64> {
        self.seen.then_some(self.least)
    }

    /// A node with this estimated total cost was left out.
    #[inline(always)]
    pub(crate) fn beyond(&mut self, total: u64) {
        self.least = self.least.min(total);
        self.seen = true;
    }
}
