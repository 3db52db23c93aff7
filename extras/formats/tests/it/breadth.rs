//! States by depth, by plain breadth-first search over the rules of a game.

use std::collections::HashSet;

use psvn_ir::{Game, State, Value};

/// For each depth, the number of new states, and how many of them are goals.
pub(crate) type Layers = Vec<(usize, usize)>;

/// Count states by depth with any function for successors and goals. The first layer with more than
/// `most` states is the last one.
pub(crate) fn layers<S: Clone + Eq + std::hash::Hash>(
    start: S,
    successors: impl Fn(&S) -> Vec<S>,
    is_goal: impl Fn(&S) -> bool,
    most: usize,
) -> Layers {
    let mut seen: HashSet<S> = [start.clone()].into();
    let mut layer = vec![start];
    let mut counts = Vec::new();
    while !layer.is_empty() {
        counts.push((layer.len(), layer.iter().filter(|it| is_goal(it)).count()));
        if seen.len() > most {
            break;
        }
        let next = layer.iter().flat_map(&successors);
        layer = next.filter(|state| seen.insert(state.clone())).collect();
    }
    counts
}

/// The same for a game.
pub(crate) fn game_layers(game: &Game, start: &State) -> Layers {
    let successors = |state: &Vec<Value>| -> Vec<Vec<Value>> {
        let rules = game.rules().iter().map(|rule| &rule.canonical);
        rules
            .filter(|rule| rule.applies_to(state))
            .map(|rule| rule.apply(state).into_vec())
            .collect()
    };
    layers(
        start.values().to_vec(),
        successors,
        |state| game.is_goal(state),
        1_000_000,
    )
}

/// The game of a text without errors, and its declared start.
pub(crate) fn load(text: &str) -> (Game, Option<State>) {
    let loaded = psvn_ir::load(text);
    let game = loaded
        .game
        .unwrap_or_else(|| panic!("{:?}\n{text}", loaded.diagnostics));
    let start = text.lines().find_map(|line| line.strip_prefix("# start: "));
    let start = start.map(|start| game.parse_state(start).unwrap());
    (game, start)
}

/// The number of states at each depth up to `depth`.
pub(crate) fn counts(game: &Game, depth: usize) -> Vec<usize> {
    let start = game.goal_state().unwrap();
    let rules: Vec<_> = game.rules().iter().map(|rule| &rule.canonical).collect();
    let mut seen = HashSet::new();
    let pack = |state: &[Value]| -> Box<[u8]> { state.iter().map(|value| value.0 as u8).collect() };
    seen.insert(pack(start.values()));
    let mut layer = vec![start.values().to_vec()];
    let mut counts = Vec::new();
    while !layer.is_empty() && counts.len() <= depth {
        counts.push(layer.len());
        let mut next = Vec::new();
        for state in &layer {
            for rule in rules.iter().filter(|rule| rule.applies_to(state)) {
                let reached = rule.apply(state).into_vec();
                if seen.insert(pack(&reached)) {
                    next.push(reached);
                }
            }
        }
        layer = next;
    }
    counts
}
