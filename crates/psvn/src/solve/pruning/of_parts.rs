//! Searches whose moves are parts of rules, in terms of the rules.

use psvn_ir::RuleId;
use rule_splits::SplitGame;
use search::{Cell, Heuristic, Outcome, SolveReport, ValueSums};

/// A heuristic that was made for the rules of a game, in a search whose moves are parts of them.
#[derive(Clone, Copy)]
pub(in crate::solve) struct OfParts<'a, H> {
    estimate: &'a H,
    split: &'a SplitGame,
}

impl<'a, H> OfParts<'a, H> {
    pub(in crate::solve) fn new(estimate: &'a H, split: &'a SplitGame) -> Self {
        Self { estimate, split }
    }
}

impl<H: Heuristic> Heuristic for OfParts<'_, H> {
    type Memo = H::Memo;

    #[inline]
    fn estimate<C: Cell>(&self, state: &[C]) -> u64 {
        self.estimate.estimate(state)
    }

    #[inline]
    fn start<C: Cell>(&self, state: &[C]) -> (u64, H::Memo) {
        self.estimate.start(state)
    }

    #[inline]
    fn child<C: Cell>(
        &self,
        part: RuleId,
        parent: &[C],
        memo: &H::Memo,
        child: &[C],
    ) -> (u64, H::Memo) {
        let rule = self.split.rule_of(part.0);
        self.estimate.child(rule, parent, memo, child)
    }

    #[inline]
    fn child_bounded<C: Cell>(
        &self,
        part: RuleId,
        parent: &[C],
        memo: &H::Memo,
        child: &[C],
        cutoff: u64,
    ) -> (u64, H::Memo) {
        let rule = self.split.rule_of(part.0);
        self.estimate
            .child_bounded(rule, parent, memo, child, cutoff)
    }

    fn has_prefetch(&self) -> bool {
        self.estimate.has_prefetch()
    }

    #[inline]
    fn prefetch(&self, part: RuleId, memo: &H::Memo) {
        self.estimate.prefetch(self.split.rule_of(part.0), memo);
    }

    fn value_sums(&self) -> Option<&ValueSums> {
        self.estimate.value_sums()
    }
}

/// Translate solutions in parts of rules into rules. Costs stay the same.
pub(in crate::solve) fn in_rules(split: &SplitGame, report: &mut SolveReport) {
    let solved = match &mut report.outcome {
        Outcome::Solved(solution) => Some(solution),
        _ => None,
    };
    for solution in solved.into_iter().chain(&mut report.best_so_far) {
        for part in &mut solution.moves {
            *part = split.rule_of(part.0);
        }
    }
}
