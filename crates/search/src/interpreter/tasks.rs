//! The tasks of the four searches.

use crate::game::cell::Cell;
use crate::game::compiled::Compiled;
use crate::heuristic::weight::Weight;
use crate::heuristic::wide::in_wide_cells;
use crate::heuristic::{DEAD_END, Heuristic};
use crate::interpreter::engine::Task;
use crate::walk::outcome::Visit;
use crate::walk::threshold::Frontier;

/// Counts the tree down to a depth.
pub(crate) struct CountToDepth {
    pub(crate) depth: u64,
}

impl CountToDepth {
    #[inline]
    fn visit(&self, depth: usize) -> Visit<()> {
        if (depth as u64) < self.depth {
            Visit::Enter(())
        } else {
            Visit::Leaf
        }
    }
}

impl<C: Cell> Task<C> for CountToDepth {
    type Mark = ();

    fn root(&mut self, _row: &[C]) -> Visit<()> {
        self.visit(0)
    }

    #[inline]
    fn child(&mut self, depth: usize, (): &mut (), _rule: u32, _row: &[C]) -> Visit<()> {
        self.visit(depth)
    }
}

/// Counts the tree of paths that cost no more than a bound.
pub(crate) struct CountToCost<'g, C> {
    pub(crate) game: &'g Compiled<C>,
    pub(crate) cost: u64,
}

impl<C: Cell> Task<C> for CountToCost<'_, C> {
    type Mark = u64;

    fn root(&mut self, _row: &[C]) -> Visit<u64> {
        Visit::Enter(0)
    }

    #[inline]
    fn child(&mut self, _depth: usize, parent: &mut u64, rule: u32, _row: &[C]) -> Visit<u64> {
        // A sum beyond 64 bits exceeds every bound.
        match parent.checked_add(self.game.cost(rule)) {
            Some(cost) if cost <= self.cost => Visit::Enter(cost),
            _ => Visit::Beyond,
        }
    }
}

/// Looks for a goal within a depth.
pub(crate) struct FindToDepth<'g, C> {
    pub(crate) game: &'g Compiled<C>,
    pub(crate) depth: u64,
    /// Whether a node was not expanded because of the depth.
    pub(crate) cut_off: bool,
}

impl<C: Cell> FindToDepth<'_, C> {
    #[inline]
    fn visit(&mut self, depth: usize, row: &[C]) -> Visit<()> {
        if self.game.is_goal(row) {
            return Visit::Goal;
        }
        if (depth as u64) < self.depth {
            return Visit::Enter(());
        }
        self.cut_off = true;
        Visit::Leaf
    }
}

impl<C: Cell> Task<C> for FindToDepth<'_, C> {
    type Mark = ();

    fn root(&mut self, row: &[C]) -> Visit<()> {
        self.visit(0, row)
    }

    #[inline]
    fn child(&mut self, depth: usize, (): &mut (), _rule: u32, row: &[C]) -> Visit<()> {
        self.visit(depth, row)
    }
}

/// A heuristic times a weight, rounded down. A smaller estimate keeps the weight's guarantee.
#[derive(Clone, Copy)]
pub(crate) struct Weighted<'h> {
    pub(crate) heuristic: &'h dyn Heuristic,
    pub(crate) weight: Weight,
}

impl Weighted<'_> {
    pub(crate) fn estimate<C: Cell>(self, state: &[C]) -> u64 {
        match in_wide_cells(state, |state| self.heuristic.estimate(state)) {
            DEAD_END => DEAD_END,
            // A number of more than 64 bits exceeds all bounds but doesn't mean a dead end: use the
            // largest number below that.
            estimate => self
                .weight
                .scaled_down(self.weight.total(0, estimate))
                .min(DEAD_END - 1),
        }
    }
}

/// What becomes of the goals within a bound on cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GoalsToCost {
    /// The first one ends the walk.
    First,
    /// Each lowers the bound below its own cost.
    Best,
    /// All are passed on.
    All,
}

/// Looks for a goal among the paths whose estimated total cost is within a bound.
pub(crate) struct FindToCost<'g, C> {
    pub(crate) game: &'g Compiled<C>,
    pub(crate) heuristic: Weighted<'g>,
    pub(crate) bound: u64,
    /// What becomes of goals.
    pub(crate) goals: GoalsToCost,
    /// Receives the nodes beyond the bound.
    pub(crate) frontier: Frontier,
    /// Whether a path was left out because its cost or estimated total cost has more than 64 bits.
    pub(crate) overflow: bool,
}

/// The class of a node by its estimate.
pub(crate) enum Judged {
    /// It is within the bound: its estimated total cost.
    Within(u64),
    /// Its estimated total cost is beyond the bound.
    Beyond(u64),
    /// No goal can be reached from it.
    DeadEnd,
    /// Its cost, or its estimated total cost, doesn't fit in 64 bits.
    Overflow,
}

impl<C: Cell> FindToCost<'_, C> {
    /// Classify a node at path cost `cost`; `None` stands for a cost beyond 64 bits.
    #[inline]
    pub(crate) fn judge(&self, cost: Option<u64>, row: &[C]) -> Judged {
        let estimate = self.heuristic.estimate(&row[..self.game.n_variables()]);
        if estimate == DEAD_END {
            return Judged::DeadEnd;
        }
        match cost.and_then(|cost| cost.checked_add(estimate)) {
            None => Judged::Overflow,
            Some(total) if total > self.bound => Judged::Beyond(total),
            Some(total) => Judged::Within(total),
        }
    }

    /// Return what to do with a node: [`Visit::Enter`] with `mark` if it is to be expanded.
    #[inline]
    pub(crate) fn visit<K>(&mut self, judged: Judged, row: &[C], mark: K) -> Visit<K> {
        let total = match judged {
            Judged::DeadEnd => return Visit::Leaf,
            Judged::Overflow => {
                self.overflow = true;
                return Visit::Leaf;
            }
            Judged::Beyond(total) => {
                self.frontier.beyond(total);
                return Visit::CutOff;
            }
            Judged::Within(total) => total,
        };
        if !self.game.is_goal(row) {
            return Visit::Enter(mark);
        }
        match (self.goals, total.checked_sub(1)) {
            (GoalsToCost::All, _) => Visit::Wanted,
            (GoalsToCost::Best, Some(below)) => {
                self.bound = below;
                Visit::Better
            }
            // No goal can cost less than 0.
            (GoalsToCost::Best, None) | (GoalsToCost::First, _) => Visit::Goal,
        }
    }
}

impl<C: Cell> Task<C> for FindToCost<'_, C> {
    type Mark = u64;

    fn root(&mut self, row: &[C]) -> Visit<u64> {
        self.visit(self.judge(Some(0), row), row, 0)
    }

    #[inline]
    fn child(&mut self, _depth: usize, parent: &mut u64, rule: u32, row: &[C]) -> Visit<u64> {
        let cost = parent.checked_add(self.game.cost(rule));
        self.visit(self.judge(cost, row), row, cost.unwrap_or(u64::MAX))
    }
}
