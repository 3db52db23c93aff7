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
        moves: Dispatch::new(game.moves.iter(), Some(closed)),
        heuristic,
        table: Table::new(closed, packing),
        bound,
    };
    let is_listed = list.table.find(game.start) == Some(0);
    if !is_listed && !list.costs_enough(game.start, 0, &mut Vec::new()) {
        return Err(CostProblem::Start.into());
    }
    for_all(closed.len(), limits, |entry, scratch| {
        closed.read_state(entry, &mut scratch.state);
        list.check_entry(entry, closed.line(entry), scratch)
    })
}

impl ClosedList<'_> {
    /// Check an entry whose state is that of the scratch.
    fn check_entry(&self, entry: usize, line: usize, scratch: &mut Scratch) -> Result<(), Fault> {
        let Scratch {
            state,
            next,
            key,
            successors,
        } = scratch;
        if !fits(self.game.domains, state) {
            return Err(CostProblem::OutsideDomains.at(line));
        }
        let g = self.table.number(entry);
        if g < self.bound && self.game.is_goal(state) {
            return Err(CostProblem::GoalBelowBound { g }.at(line));
        }
        for (rule, step) in self.moves.allowed(state) {
            let g = g + step.cost;
            let it = (rule, step);
            let listed = self.table.find_successor(entry, state, it, successors);
            if listed.is_some_and(|listed| listed <= g) {
                continue;
            }
            step.carry_out(state, next);
            if !self.costs_enough(next, g, key) {
                return Err(CostProblem::Successor { rule, g }.at(line));
            }
        }
        Ok(())
    }

    /// Whether each plan through this state, reached at cost g, costs at least the bound, as far as
    /// the heuristic knows. `key` is overwritten.
    fn costs_enough(&self, state: &[u32], g: u64, key: &mut Vec<u64>) -> bool {
        g >= self.bound || g + self.heuristic.estimate(state, key) >= self.bound
    }
}
