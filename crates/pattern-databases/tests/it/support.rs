//! Games, and distances by brute force.

use std::collections::HashMap;
use std::path::Path;

use pattern_databases::{Limits, PatternDatabase, Watch};
use psvn_ir::testing::all_states;
use psvn_ir::{Game, Value};
use search::{FollowedPath, Heuristic};

pub(crate) fn domain(reference: &str) -> Game {
    let text = domains::generate_reference(reference).unwrap();
    psvn_ir::load(&text).game.unwrap()
}

/// Return the least cost from each state to a goal state, by improving until nothing changes.
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

/// Write a table to a file.
pub(crate) fn save(game: &Game, table: &PatternDatabase, path: &Path) {
    let mut file = std::fs::File::create(path).unwrap();
    table.write(game, &mut file).unwrap();
}

/// Return the values as the cells that heuristics read.
pub(crate) fn cells(state: &[Value]) -> Vec<u32> {
    state.iter().map(|value| value.0).collect()
}

/// Return the least cost from a state, and the nodes generated: plain IDA* without the step back to
/// the parent.
///
/// The searches of `search` do the same much faster, but take minutes to compile for a heuristic.
pub(crate) fn ida_star(game: &Game, start: &[Value], heuristic: &dyn Heuristic) -> (u64, u64) {
    let first = FollowedPath::start(heuristic, start).unwrap();
    let mut bound = first.estimate();
    let mut generated = 0;
    loop {
        let mut path = vec![start.into()];
        let mut next = u64::MAX;
        let node = (&first, 0);
        if within(game, &mut path, node, bound, &mut next, &mut generated) {
            return (bound, generated);
        }
        bound = next;
    }
}

fn within(
    game: &Game,
    path: &mut Vec<Box<[Value]>>,
    (node, cost): (&FollowedPath<'_>, u64),
    bound: u64,
    next: &mut u64,
    generated: &mut u64,
) -> bool {
    let state = path.last().unwrap().clone();
    if game.is_goal(&state) {
        return true;
    }
    for (id, rule) in game.rules_with_ids() {
        if !rule.canonical.applies_to(&state) {
            continue;
        }
        let child = rule.canonical.apply(&state);
        if path.len() > 1 && path[path.len() - 2] == child {
            continue;
        }
        *generated += 1;
        let after = node.child(id, &child, u64::MAX);
        let cost = cost + rule.canonical.cost();
        let total = cost.saturating_add(after.estimate());
        if total > bound {
            *next = total.min(*next);
            continue;
        }
        path.push(child);
        if within(game, path, (&after, cost), bound, next, generated) {
            return true;
        }
        path.pop();
    }
    false
}

/// Return a limit on memory in bytes.
pub(crate) fn with_memory(memory: usize) -> Watch {
    Watch::new(Limits {
        memory: Some(memory),
        ..Limits::default()
    })
}
