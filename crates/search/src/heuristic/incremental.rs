//! Heuristics whose estimates follow from those of the parent.

use bytemuck::Pod;
use psvn_ir::RuleId;

use crate::heuristic::memo::Memo;
use crate::heuristic::value_sums::ValueSums;
use crate::heuristic::wide::in_wide_cells;
use crate::heuristic::{Estimated, Heuristic, PathNode, Properties, Sibling};

/// A heuristic that estimates one child at a time from data of its parent. Every such type is a
/// [`Heuristic`].
pub trait IncrementalHeuristic: Sync {
    /// The data kept for each node of a path; see [`Memo`].
    type Memo: Pod;

    /// Return the estimate of a state without a parent, and its memo.
    fn first(&self, state: &[u32]) -> (u64, Self::Memo);

    /// Return the estimate of the state that `rule` leads to from `parent`, whose memo is `memo`,
    /// and the new state's memo. Must be what [`first`](Self::first) returns for `child`.
    fn next(
        &self,
        rule: RuleId,
        parent: &[u8],
        memo: &Self::Memo,
        child: &[u8],
    ) -> (u64, Self::Memo);

    /// Return the heuristic as a sum over the variables, if it is one.
    fn value_sums(&self) -> Option<&ValueSums> {
        None
    }
}

impl<H: IncrementalHeuristic> Heuristic for H {
    fn estimate(&self, state: &[u32]) -> u64 {
        self.first(state).0
    }

    fn start(&self, state: &[u8], memo: &mut Memo) -> u64 {
        let (estimate, first) = in_wide_cells(state, |state| self.first(state));
        memo.write(first);
        estimate
    }

    fn children(
        &self,
        node: PathNode<'_>,
        siblings: &[Sibling],
        states: &[u8],
        estimated: &mut [Estimated],
    ) {
        let memo = node.memo.read();
        let children = states.chunks_exact(node.state.len()).zip(siblings);
        for ((child, sibling), estimated) in children.zip(estimated) {
            let (estimate, next) = self.next(sibling.rule, node.state, memo, child);
            estimated.estimate = estimate;
            estimated.memo.write(next);
        }
    }

    fn properties(&self) -> Properties<'_> {
        Properties {
            value_sums: self.value_sums(),
            ..Properties::default()
        }
    }
}
