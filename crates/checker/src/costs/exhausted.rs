//! Proofs that there is no plan, by a list of all states that can be reached, or of their images in
//! an abstract game: the start is listed, no goal is, and no rule leads out of the list.

use crate::costs::entries::Entries;
use crate::costs::estimates::abstraction::{Maps, abstract_moves, abstract_tests, image};
use crate::costs::estimates::table::{Packing, Table};
use crate::costs::flaw::{CostProblem, Fault};
use crate::costs::setting::dispatch::Dispatch;
use crate::costs::setting::moves::{Move, passes};
use crate::costs::setting::prepared::Prepared;
use crate::costs::shared::{Scratch, for_all};
use crate::limits::Limits;

/// Check that a list has the image of the start, no image of a goal, and with each abstract state
/// all its successors.
pub(crate) fn check_exhausted(
    game: &Prepared<'_>,
    maps: &Maps,
    listed: &Entries,
    packing: Packing,
    limits: &Limits,
) -> Result<(), Fault> {
    let table = Table::new(listed, packing);
    let abstracted = |it| abstract_moves(game.domains, maps, it, 0);
    let by_rule = game.moves.iter().map(abstracted).enumerate();
    let parts = by_rule.flat_map(|(rule, parts)| parts.into_iter().map(move |it| (rule, it)));
    let parts: Vec<(usize, Move)> = parts.filter(|(_, it)| !it.is_idle()).collect();
    let moves = Dispatch::new(parts.iter().map(|(_, it)| it), Some(listed));
    let goals = game.goals.iter().map(|it| abstract_tests(maps, it));
    let goals: Vec<_> = goals.collect();
    let mut start = Vec::new();
    image(maps, game.start, &mut start);
    if table.find(&start).is_none() {
        return Err(CostProblem::StartNotListed.into());
    }
    for_all(listed.len(), limits, |index, scratch| {
        let Scratch {
            state, successors, ..
        } = scratch;
        let line = listed.line(index);
        listed.read_state(index, state);
        if goals.iter().any(|tests| passes(tests, state)) {
            return Err(CostProblem::GoalListed.at(line));
        }
        for it in moves.allowed(state) {
            if table.find_successor(index, state, it, successors).is_none() {
                let rule = parts[it.0].0;
                return Err(CostProblem::SuccessorNotListed { rule }.at(line));
            }
        }
        Ok(())
    })
}
