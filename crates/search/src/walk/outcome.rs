//! The decision about a node, the nodes left out, and the result of a whole walk.

use std::ops::ControlFlow;

use crate::run::limits::StopReason;

/// The decision of a task about a node.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Visit<K> {
    /// Generated, and must be expanded.
    Enter(K),
    /// Generated, and not expanded.
    Leaf,
    /// Generated, and not expanded because it exceeds the bound.
    CutOff,
    /// Not part of the tree, because it exceeds the bound.
    Beyond,
    /// Generated, and the end of the search.
    Goal,
    /// Generated, and a goal better than those before: its path is recorded, and the search
    /// continues.
    Better,
    /// Generated, and one of the goals that are wanted: its path is passed on, and the search
    /// continues.
    Wanted,
}

/// How a walk ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// The whole tree was visited.
    Exhausted,
    /// The task found its goal, with these rules.
    Goal(Vec<u32>),
    /// A limit was reached.
    Stopped(StopReason),
}

/// A solution: its estimated total cost, which is its cost times the weight's denominator, and its
/// rules.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) total: u64,
    pub(crate) rules: Vec<u32>,
}

/// What is done with the rules to each goal of a walk that passes goals; it may end the walk.
pub(crate) type OnGoal<'g> = &'g mut (dyn FnMut(&[u32]) -> ControlFlow<()> + Send + Sync);

/// The least estimated total cost above a bound.
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
    /// Merge with another one: keep the least.
    pub(crate) fn merge(&mut self, other: Self) {
        self.least = self.least.min(other.least);
        self.seen |= other.seen;
    }

    /// Return the least total; `None` when no node was above the bound.
    pub(crate) fn total(self) -> Option<u64> {
        self.seen.then_some(self.least)
    }

    /// Record a node with this estimated total cost that was left out.
    #[inline(always)]
    pub(crate) fn beyond(&mut self, total: u64) {
        self.least = self.least.min(total);
        self.seen = true;
    }
}
