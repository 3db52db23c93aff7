//! Estimates of the remaining cost.

pub mod check;
pub(crate) mod erased;
pub(crate) mod lookups;
pub(crate) mod of_state;
pub(crate) mod ranked;
pub(crate) mod value_sums;
pub(crate) mod view;
pub(crate) mod weight;

use bytemuck::{Pod, Zeroable};
use psvn_ir::RuleId;

use crate::game::cell::Cell;
use crate::heuristic::erased::Erased;
use crate::heuristic::ranked::RankedTable;
use crate::heuristic::value_sums::ValueSums;

/// The estimate of a state from which no goal state can be reached.
pub const DEAD_END: u64 = u64::MAX;

/// The maximum size of a [`Heuristic::Memo`].
pub const MEMO_BYTES: usize = 64;

/// A child of a node whose children are estimated together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sibling {
    /// The rule that leads to it.
    pub rule: RuleId,
    /// The greatest estimate at which the search keeps it.
    pub cutoff: u64,
}

/// A lower bound on the cost of reaching a goal state.
///
/// [`Run::ida_star`](crate::Run::ida_star) finds a solution of least cost when the heuristic is
/// *admissible*: no estimate exceeds the least cost of reaching a goal state, and goal states are
/// estimated at 0. It need not be consistent.
///
/// A heuristic that uses only the state is easier to write as a
/// [`StateHeuristic`](crate::StateHeuristic), which is object-safe.
///
/// # Incremental estimates
/// Depth-first searches know the parent of a state and the rule between them. A heuristic that can
/// use them keeps its data in a [`Memo`](Self::Memo), which searches carry along for each node of
/// the path: [`start`](Self::start) makes it for the first node and [`child`](Self::child) for the
/// others. Both must give the same estimate as [`estimate`](Self::estimate).
pub trait Heuristic: Sync {
    /// The data kept for each node of a path; `()` if there is none. At most [`MEMO_BYTES`] bytes,
    /// which is checked when the program is compiled.
    type Memo: Pod + Send + Sync;

    /// Return the estimate for a state, given as one cell for each variable; [`DEAD_END`] if no
    /// goal state can be reached, which cuts the state off under every bound.
    ///
    /// Called once for each node. It must be a function of the state alone.
    fn estimate<C: Cell>(&self, state: &[C]) -> u64;

    /// Return the estimate of the first state of a path, and its memo.
    #[inline]
    fn start<C: Cell>(&self, state: &[C]) -> (u64, Self::Memo) {
        (self.estimate(state), Self::Memo::zeroed())
    }

    /// Return the estimate of the state that `rule` leads to from `parent`, whose memo is `memo`,
    /// and the new state's memo.
    #[inline]
    fn child<C: Cell>(
        &self,
        rule: RuleId,
        parent: &[C],
        memo: &Self::Memo,
        child: &[C],
    ) -> (u64, Self::Memo) {
        let _ = (rule, parent, memo);
        self.start(child)
    }

    /// As [`child`](Self::child), for a search that drops the state if its estimate exceeds
    /// `cutoff`. Then any number above `cutoff` and up to the estimate may be returned, with any
    /// memo; this saves computing the exact estimate.
    #[inline]
    fn child_bounded<C: Cell>(
        &self,
        rule: RuleId,
        parent: &[C],
        memo: &Self::Memo,
        child: &[C],
        cutoff: u64,
    ) -> (u64, Self::Memo) {
        let _ = cutoff;
        self.child(rule, parent, memo, child)
    }

    /// Return whether [`rejects`](Self::rejects) may find anything.
    fn has_rejection(&self) -> bool {
        false
    }

    /// Return a number above `cutoff` and up to the estimate of the child by `rule`, if there is
    /// one and it can be found from the parent's `memo` alone. Then the child's state isn't made.
    #[inline]
    fn rejects(&self, rule: RuleId, memo: &Self::Memo, cutoff: u64) -> Option<u64> {
        let _ = (rule, memo, cutoff);
        None
    }

    /// Return whether [`prefetch`](Self::prefetch) does anything.
    fn has_prefetch(&self) -> bool {
        false
    }

    /// Prefetch hint: the child by `rule` is about to be estimated, so entries of large tables can
    /// be fetched now. `memo` is the parent's. The call changes no estimate.
    #[inline]
    fn prefetch(&self, rule: RuleId, memo: &Self::Memo) {
        let _ = (rule, memo);
    }

    /// Return whether the children of a node are better estimated together, by
    /// [`rejects_all`](Self::rejects_all) and [`children_bounded`](Self::children_bounded): then
    /// reads of a large table overlap.
    fn has_batches(&self) -> bool {
        false
    }

    /// Do what [`rejects`](Self::rejects) does for several children of one node, whose memo is
    /// `memo`. `found` has one place for each of them.
    #[inline]
    fn rejects_all(&self, siblings: &[Sibling], memo: &Self::Memo, found: &mut [Option<u64>]) {
        for (sibling, found) in siblings.iter().zip(found) {
            *found = self.rejects(sibling.rule, memo, sibling.cutoff);
        }
    }

    /// Do what [`child_bounded`](Self::child_bounded) does for several children of one node.
    /// `states` has their cells, one child after the other. `found` gets the number of each child,
    /// its estimate and its memo.
    #[inline]
    fn children_bounded<C: Cell>(
        &self,
        siblings: &[Sibling],
        parent: &[C],
        memo: &Self::Memo,
        states: &[C],
        found: impl FnMut(usize, u64, Self::Memo),
    ) {
        children_one_by_one(self, siblings, parent, memo, states, found);
    }

    /// Return the heuristic as searches take it. The calls are compiled where this is, so a
    /// heuristic may define it, again as `Erased::of(self)`, to have them compiled in its own crate
    /// and as that crate is.
    #[inline]
    fn erased(&self) -> Erased<'_>
    where
        Self: Sized,
    {
        Erased::of(self)
    }

    /// Return the heuristic as a sum over the variables, if it is one: searches are much faster
    /// then.
    fn value_sums(&self) -> Option<&ValueSums> {
        None
    }

    /// Return tables from which the estimate is the maximum over all lists of the sum of their
    /// entries, in all states that are reachable from the starts for which the heuristic was made;
    /// `None` if there are no such tables.
    fn ranked_tables(&self) -> Option<Vec<Vec<&dyn RankedTable>>> {
        None
    }
}

/// Do what [`Heuristic::children_bounded`] does by estimating each child alone: for heuristics that
/// estimate children together only in some of their forms.
#[inline]
pub fn children_one_by_one<H: Heuristic + ?Sized, C: Cell>(
    heuristic: &H,
    siblings: &[Sibling],
    parent: &[C],
    memo: &H::Memo,
    states: &[C],
    mut found: impl FnMut(usize, u64, H::Memo),
) {
    let states = states.chunks_exact(parent.len());
    for (number, (sibling, child)) in siblings.iter().zip(states).enumerate() {
        let Sibling { rule, cutoff } = *sibling;
        let (estimate, memo) = heuristic.child_bounded(rule, parent, memo, child, cutoff);
        found(number, estimate, memo);
    }
}

/// The heuristic that estimates every state at 0.
#[derive(Clone, Copy, Debug, Default)]
pub struct ZeroHeuristic;

impl Heuristic for ZeroHeuristic {
    type Memo = ();

    #[inline]
    fn estimate<C: Cell>(&self, _state: &[C]) -> u64 {
        0
    }
}

impl<H: Heuristic> Heuristic for &H {
    type Memo = H::Memo;

    #[inline]
    fn estimate<C: Cell>(&self, state: &[C]) -> u64 {
        (**self).estimate(state)
    }

    #[inline]
    fn start<C: Cell>(&self, state: &[C]) -> (u64, H::Memo) {
        (**self).start(state)
    }

    #[inline]
    fn child<C: Cell>(
        &self,
        rule: RuleId,
        parent: &[C],
        memo: &H::Memo,
        child: &[C],
    ) -> (u64, H::Memo) {
        (**self).child(rule, parent, memo, child)
    }

    #[inline]
    fn child_bounded<C: Cell>(
        &self,
        rule: RuleId,
        parent: &[C],
        memo: &H::Memo,
        child: &[C],
        cutoff: u64,
    ) -> (u64, H::Memo) {
        (**self).child_bounded(rule, parent, memo, child, cutoff)
    }

    fn has_rejection(&self) -> bool {
        (**self).has_rejection()
    }

    #[inline]
    fn rejects(&self, rule: RuleId, memo: &H::Memo, cutoff: u64) -> Option<u64> {
        (**self).rejects(rule, memo, cutoff)
    }

    fn has_prefetch(&self) -> bool {
        (**self).has_prefetch()
    }

    #[inline]
    fn prefetch(&self, rule: RuleId, memo: &H::Memo) {
        (**self).prefetch(rule, memo);
    }

    fn has_batches(&self) -> bool {
        (**self).has_batches()
    }

    #[inline]
    fn rejects_all(&self, siblings: &[Sibling], memo: &H::Memo, found: &mut [Option<u64>]) {
        (**self).rejects_all(siblings, memo, found);
    }

    #[inline]
    fn children_bounded<C: Cell>(
        &self,
        siblings: &[Sibling],
        parent: &[C],
        memo: &H::Memo,
        states: &[C],
        found: impl FnMut(usize, u64, H::Memo),
    ) {
        (**self).children_bounded(siblings, parent, memo, states, found);
    }

    #[inline]
    fn erased(&self) -> Erased<'_> {
        (**self).erased()
    }

    fn value_sums(&self) -> Option<&ValueSums> {
        (**self).value_sums()
    }

    fn ranked_tables(&self) -> Option<Vec<Vec<&dyn RankedTable>>> {
        (**self).ranked_tables()
    }
}
