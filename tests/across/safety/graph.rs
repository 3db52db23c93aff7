//! Brute force: states and rules as a graph, and the part that a machine leaves.

use std::collections::HashMap;

use fsm::{Dense, Machine};
use psvn_ir::testing::all_states;
use psvn_ir::{Game, Value};

/// No path.
pub(crate) const NEVER: u64 = u64::MAX;

/// The effects of rules, state by state.
pub(crate) struct Graph {
    /// For each state, the rules that apply and the states that they lead to.
    pub(crate) edges: Vec<Vec<(u32, usize)>>,
    pub(crate) costs: Vec<u64>,
    pub(crate) names: Vec<String>,
    /// The number of moves from a start that are complete; edges further on are missing.
    horizon: usize,
}

impl Graph {
    /// The states that can be reached from `starts` by at most `depth` moves; those numbered first
    /// are the starts. The states of the last depth have no edges.
    pub(crate) fn around(
        game: &Game,
        starts: impl IntoIterator<Item = Box<[Value]>>,
        depth: usize,
    ) -> Self {
        let mut states: Vec<Box<[Value]>> = Vec::new();
        let mut numbers: HashMap<Box<[Value]>, usize> = HashMap::new();
        let mut number_of = |state: Box<[Value]>, states: &mut Vec<Box<[Value]>>| {
            *numbers.entry(state).or_insert_with_key(|state| {
                states.push(state.clone());
                states.len() - 1
            })
        };
        for start in starts {
            number_of(start, &mut states);
        }
        let mut edges = Vec::new();
        for _ in 0..depth {
            for state in edges.len()..states.len() {
                let state = states[state].clone();
                let applicable = game
                    .rules_with_ids()
                    .filter(|(_, rule)| rule.canonical.applies_to(&state));
                let out = applicable
                    .map(|(id, rule)| (id.0, number_of(rule.canonical.apply(&state), &mut states)));
                edges.push(out.collect());
            }
        }
        let is_closed = edges.len() == states.len();
        edges.resize(states.len(), Vec::new());
        Self {
            edges,
            horizon: if is_closed { usize::MAX } else { depth },
            costs: game.rules().iter().map(|r| r.canonical.cost()).collect(),
            names: states.iter().map(|s| game.format_state(s)).collect(),
        }
    }

    /// All states of a game.
    pub(crate) fn complete(game: &Game) -> Self {
        Self::around(game, all_states(game), 1)
    }
}

/// For k = 0, 1, ...: the least cost at which each state can be reached by at most k moves that a
/// machine allows, until more moves change nothing or leave the graph.
pub(crate) fn least_costs(graph: &Graph, machine: &Dense, start: usize) -> Vec<Vec<u64>> {
    let n_machine_states = machine.n_states() + 1;
    let mut known = vec![NEVER; graph.edges.len() * n_machine_states];
    let mut best = vec![NEVER; graph.edges.len()];
    best[start] = 0;
    known[start * n_machine_states + machine.number(machine.start())] = 0;
    let mut layers = vec![best.clone()];
    // Pairs whose cost fell by the last move, with that cost: only these can lead to new pairs.
    let mut frontier = vec![(start, machine.start(), 0)];
    while !frontier.is_empty() && layers.len() <= graph.horizon {
        let mut next = Vec::new();
        for (state, memory, cost) in frontier {
            for &(rule, target) in &graph.edges[state] {
                let Some(memory) = machine.next(memory, rule) else {
                    continue;
                };
                let cost = cost + graph.costs[rule as usize];
                let known = &mut known[target * n_machine_states + machine.number(memory)];
                if cost < *known {
                    *known = cost;
                    best[target] = best[target].min(cost);
                    next.push((target, memory, cost));
                }
            }
        }
        frontier = next;
        layers.push(best.clone());
    }
    layers
}

/// The first number of moves, and a state, for which two searches differ.
pub(crate) fn first_difference(a: &[Vec<u64>], b: &[Vec<u64>]) -> Option<(usize, usize)> {
    let layer = |layers: &[Vec<u64>], k: usize| layers[k.min(layers.len() - 1)].clone();
    (0..a.len().max(b.len())).find_map(|k| {
        let (a, b) = (layer(a, k), layer(b, k));
        (0..a.len()).find(|i| a[*i] != b[*i]).map(|i| (k, i))
    })
}

/// A state whose least costs differ when moves don't count.
pub(crate) fn last_difference(a: &[Vec<u64>], b: &[Vec<u64>]) -> Option<(usize, usize)> {
    let last = |layers: &[Vec<u64>]| layers[layers.len() - 1].clone();
    let (a_last, b_last) = (last(a), last(b));
    (0..a_last.len())
        .find(|i| a_last[*i] != b_last[*i])
        .map(|i| (a.len().max(b.len()), i))
}
