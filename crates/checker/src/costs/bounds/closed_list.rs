//! Lower bounds by a closed list: states, each with a number g.
//!
//! The start has 0. Each successor of a listed state is listed with no greater g than on the way
//! through that state, or the proved heuristic shows that no goal is near enough. A goal is listed
//! only with a g of at least the bound. Then each plan, followed from the start, leaves the list
//! where it must cost too much, or ends in a goal that costs enough. (For A*: Dold, Helmert,
//! Nordström, Röger & Schindler, ICAPS 2025.)

use crate::costs::entries::Entries;
use crate::costs::estimates::heuristic::ProvedHeuristic;
use crate::costs::estimates::table::{Packing, Table};
use crate::costs::flaw::{CostProblem, Fault};
use crate::costs::setting::dispatch::Dispatch;
use crate::costs::setting::moves::fits;
use crate::costs::setting::prepared::Prepared;
use crate::costs::shared::{Scratch, for_all};
use crate::limits::Limits;

struct ClosedList<'c> {
    game: &'c Prepared<'c>,
    moves: Dispatch,
    heuristic: &'c ProvedHeuristic<'c>,
    table: Table<'c>,
    bound: u64,
}

/// Check that a closed list proves a bound.
pub(crate) fn check_closed_list(
    game: &Prepared<'_>,
    heuristic: &ProvedHeuristic<'_>,
    closed: &Entries,
    bound: u64,
    packing: Packing,
    limits: &Limits,
) -> Result<(), Fault> {
    let list = ClosedList {
        game,
        moves: Dispatch::new(game.moves.iter()),
        heuristic,
        table: Table::new(closed, packing),
        bound,
    };
    if !list.is_covered(game.start, 0, &mut Vec::new()) {
        return Err(CostProblem::Start.into());
    }
    for_all(closed.len(), limits, |index, scratch| {
        closed.read_state(index, &mut scratch.state);
        list.check_entry(closed.number(index), closed.line(index), scratch)
    })
}

impl ClosedList<'_> {
    /// Check the entry whose state is that of the scratch.
    fn check_entry(&self, g: u64, line: usize, scratch: &mut Scratch) -> Result<(), Fault> {
        let Scratch { state, next, key } = scratch;
        if !fits(self.game.domains, state) {
            return Err(CostProblem::OutsideDomains.at(line));
        }
        if g < self.bound && self.game.is_goal(state) {
            return Err(CostProblem::GoalBelowBound { g }.at(line));
        }
        for (rule, step) in self.moves.allowed(state) {
            let g = g + step.cost;
            step.carry_out(state, next);
            if !self.is_covered(next, g, key) {
                return Err(CostProblem::Successor { rule, g }.at(line));
            }
        }
        Ok(())
    }

    /// Whether no plan through this state, reached at cost g, needs another proof than that of the
    /// list and the heuristic. `key` is overwritten.
    fn is_covered(&self, state: &[u32], g: u64, key: &mut Vec<u64>) -> bool {
        if g >= self.bound {
            return true;
        }
        self.table.packing().key(state, key);
        self.table.find(key).is_some_and(|listed| listed <= g)
            || g + self.heuristic.estimate(state, key) >= self.bound
    }
}
