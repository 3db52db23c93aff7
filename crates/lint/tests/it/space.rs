//! Compares the states and moves of two games by trying them.

use std::collections::BTreeSet;

use psvn_ir::{Game, State, Value};

/// The number of states that are compared before two games count as equal.
const MOST_STATES: usize = 3_000;

type Values = Box<[Value]>;

/// Whether the moves differ in some state that can be reached from the starts, within the first
/// three thousand states. Breadth first in both games at once.
pub(crate) fn differ(one: &Game, other: &Game, starts: &[State]) -> bool {
    let mut seen: BTreeSet<Values> = starts.iter().map(|s| s.values().into()).collect();
    let mut level: Vec<Values> = seen.iter().cloned().collect();
    while !level.is_empty() && seen.len() < MOST_STATES {
        let mut next = Vec::new();
        for state in &level {
            let moves = moves(one, state);
            if moves != self::moves(other, state) {
                return true;
            }
            for (child, _) in moves {
                if seen.insert(child.clone()) {
                    next.push(child);
                }
            }
        }
        level = next;
    }
    false
}

fn moves(game: &Game, state: &[Value]) -> BTreeSet<(Values, u64)> {
    let rules = game.rules().iter().map(|rule| &rule.canonical);
    rules
        .filter(|rule| rule.applies_to(state))
        .map(|rule| (rule.apply(state), rule.cost()))
        .filter(|(child, _)| **child != *state)
        .collect()
}
