//! Games, and distances by brute force.

use std::collections::HashMap;

use psvn_ir::testing::all_states;
use psvn_ir::{Game, Value};

pub(crate) fn domain(reference: &str) -> Game {
    let text = domains::generate_reference(reference).unwrap();
    psvn_ir::load(&text).game.unwrap()
}

/// The least cost from each state to a goal state, by improving until nothing changes.
pub(crate) fn distances(game: &Game) -> HashMap<Box<[Value]>, u64> {
    let states: Vec<Box<[Value]>> = all_states(game).collect();
    let mut known: HashMap<Box<[Value]>, u64> = HashMap::new();
    for state in states.iter().filter(|state| game.is_goal(state)) {
        known.insert(state.clone(), 0);
    }
    loop {
        let mut changed = false;
        for state in &states {
            for rule in game.rules().iter().map(|rule| &rule.canonical) {
                if !rule.applies_to(state) {
                    continue;
                }
                let Some(rest) = known.get(&rule.apply(state)) else {
                    continue;
                };
                let total = rest + rule.cost();
                if known.get(state).is_none_or(|least| *least > total) {
                    known.insert(state.clone(), total);
                    changed = true;
                }
            }
        }
        if !changed {
            return known;
        }
    }
}

/// The values as the cells that heuristics read.
pub(crate) fn cells(state: &[Value]) -> Vec<u32> {
    state.iter().map(|value| value.0).collect()
}
