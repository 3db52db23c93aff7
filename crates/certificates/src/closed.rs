//! The states from which a plan might still cost less than a bound.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::rc::Rc;

use ahash::AHashMap;
use budget::Watch;
use psvn_ir::{Game, State, Value};

use crate::abstract_table::STATES_AT_ONCE;
use crate::error::CertificateError;
use crate::evidence::Evidence;

/// The bytes that a state takes beside its values: its entries in the table and in the queue.
const BYTES_OF_ENTRY: usize = 128;

/// States with the least costs of paths to them.
pub struct ClosedList {
    least: AHashMap<Rc<[Value]>, u64>,
}

impl ClosedList {
    /// Return the number of states.
    pub fn len(&self) -> usize {
        self.least.len()
    }

    /// Return whether there are none.
    pub fn is_empty(&self) -> bool {
        self.least.is_empty()
    }

    /// Return the states with their costs.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (&[Value], u64)> {
        self.least.iter().map(|(state, cost)| (&**state, *cost))
    }
}

/// Return the closed list for a lower bound on the costs of all plans: each state with its least
/// cost g, where g and the estimate together are below the bound. With the greatest bound and
/// without evidence these are all states that can be reached.
///
/// A goal that costs less than the bound is in the list; then the bound is wrong, and a checker
/// finds out.
///
/// Takes time and memory for each state of the list and each of its successors.
///
/// # Errors
/// When a limit is reached; [`StopReason::Nodes`](budget::StopReason::Nodes) if the list has more
/// states than the limits allow nodes.
pub fn closed_list(
    game: &Game,
    start: &State,
    bound: u64,
    evidence: &Evidence,
    watch: &Watch,
) -> Result<ClosedList, CertificateError> {
    let might_cost_less =
        |state: &[Value], g: u64| g.saturating_add(evidence.estimate(state)) < bound;
    let mut least: AHashMap<Rc<[Value]>, u64> = AHashMap::new();
    let mut queue = BinaryHeap::new();
    if might_cost_less(start.values(), 0) {
        let start: Rc<[Value]> = start.values().into();
        least.insert(Rc::clone(&start), 0);
        queue.push(Reverse((0, start)));
    }
    let bytes_of_state = BYTES_OF_ENTRY + size_of_val(start.values());
    let mut n_expanded = 0_usize;
    while let Some(Reverse((g, state))) = queue.pop() {
        if least[&state] < g {
            continue;
        }
        if n_expanded.is_multiple_of(STATES_AT_ONCE) {
            watch.check(least.len() as u64, least.len() * bytes_of_state)?;
        }
        n_expanded += 1;
        for rule in game.rules().iter().map(|rule| &rule.canonical) {
            if !rule.applies_to(&state) {
                continue;
            }
            let g = g.saturating_add(rule.cost());
            let next: Rc<[Value]> = rule.apply(&state).into();
            let is_better = least.get(&next).is_none_or(|known| g < *known);
            if is_better && might_cost_less(&next, g) {
                least.insert(Rc::clone(&next), g);
                queue.push(Reverse((g, next)));
            }
        }
    }
    Ok(ClosedList { least })
}
