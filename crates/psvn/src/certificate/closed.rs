//! The states that a certificate lists.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::rc::Rc;

use budget::{StopReason, Watch};
use psvn_ir::{Game, State, Value};

/// The bytes that a state takes beside its values: its entries in the table and in the queue.
const BYTES_OF_ENTRY: usize = 128;

/// The number of states after which the limits are checked again.
const STATES_AT_ONCE: usize = 1024;

/// A state with the least cost of a path to it.
pub(super) type Entry = (Rc<[Value]>, u64);

/// All states that can be reached from the start at a cost below `bound`, each with its least cost;
/// sorted by the last value first. Expands in order of cost.
pub(super) fn closed_list(
    game: &Game,
    start: &State,
    bound: u64,
    watch: &Watch,
) -> Result<Vec<Entry>, StopReason> {
    let mut least: HashMap<Rc<[Value]>, u64> = HashMap::new();
    let mut queue = BinaryHeap::new();
    if bound > 0 {
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
            watch.check_resources(least.len() * bytes_of_state)?;
        }
        n_expanded += 1;
        for rule in game.rules().iter().map(|rule| &rule.canonical) {
            if !rule.applies_to(&state) {
                continue;
            }
            let g = g.saturating_add(rule.cost());
            let next: Rc<[Value]> = rule.apply(&state).into();
            if g < bound && least.get(&next).is_none_or(|known| g < *known) {
                least.insert(Rc::clone(&next), g);
                queue.push(Reverse((g, next)));
            }
        }
    }
    let mut entries: Vec<Entry> = least.into_iter().collect();
    entries.sort_unstable_by(|(one, _), (other, _)| one.iter().rev().cmp(other.iter().rev()));
    Ok(entries)
}
