//! Upper bounds for all states that can be reached, by a list: states, each with a number.
//!
//! The start is listed, and so is each successor of a listed state. A listed state is a goal, or
//! some rule leads from it to one with a lesser number, less by at least the rule's cost. So each
//! state that can be reached has a plan that costs at most its number.

use crate::costs::entries::Entries;
use crate::costs::estimates::table::{Packing, Table};
use crate::costs::flaw::{CostProblem, Fault};
use crate::costs::setting::dispatch::Dispatch;
use crate::costs::setting::moves::fits;
use crate::costs::setting::prepared::Prepared;
use crate::costs::shared::{Scratch, for_all};
use crate::limits::Limits;

/// Check that a list proves that from each state that can be reached there is a plan that costs at
/// most the bound.
pub(crate) fn check_everywhere(
    game: &Prepared<'_>,
    listed: &Entries,
    bound: u64,
    packing: Packing,
    limits: &Limits,
) -> Result<(), Fault> {
    let table = Table::new(listed, packing);
    let moves = Dispatch::new(game.moves.iter(), Some(listed));
    if table.find(game.start).is_none() {
        return Err(CostProblem::StartNotListed.into());
    }
    for_all(listed.len(), limits, |entry, scratch| {
        let Scratch {
            state, successors, ..
        } = scratch;
        let line = listed.line(entry);
        listed.read_state(entry, state);
        if !fits(game.domains, state) {
            return Err(CostProblem::OutsideDomains.at(line));
        }
        let number = listed.number(entry);
        if number > bound {
            return Err(CostProblem::AboveBound.at(line));
        }
        let mut leads_down = game.is_goal(state);
        for (rule, step) in moves.allowed(state) {
            let found = table.find_successor(entry, state, (rule, step), successors);
            let next = found.ok_or_else(|| CostProblem::SuccessorNotListed { rule }.at(line))?;
            leads_down |= next < number && next + step.cost <= number;
        }
        if !leads_down {
            return Err(CostProblem::NoWayDown.at(line));
        }
        Ok(())
    })
}
