//! Turning back where a machine can't continue for long enough.

use std::collections::BTreeMap;

use fsm::{Dense, Machine, longest_continuations};
use psvn_ir::testing::cases;

use crate::safety::graph::Graph;
use crate::safety::{analysis_of, game_of, machines};

/// The number of allowed paths of exactly `depth` moves from a start to each state, and the number
/// of nodes that a search visits for that. With `longest`, it turns back where a machine state is
/// moribund.
fn ends(
    graph: &Graph,
    machine: &Dense,
    start: usize,
    depth: usize,
    longest: Option<&[Option<u32>]>,
) -> (BTreeMap<usize, u64>, u64) {
    // Machine states are stored as numbers, which have an order.
    let mut frontier = BTreeMap::from([(
        (start, machine.number(machine.start())),
        (machine.start(), 1),
    )]);
    let mut visited = 0;
    for done in 0..=depth {
        if let Some(longest) = longest {
            let remaining = (depth - done) as u32;
            frontier.retain(|(_, number), _| longest[*number].is_none_or(|n| n >= remaining));
        }
        visited += frontier.values().map(|(_, paths)| paths).sum::<u64>();
        if done == depth {
            break;
        }
        let mut next = BTreeMap::new();
        for ((state, _), (memory, paths)) in frontier {
            for &(rule, target) in &graph.edges[state] {
                if let Some(memory) = machine.next(memory, rule) {
                    let key = (target, machine.number(memory));
                    next.entry(key).or_insert((memory, 0)).1 += paths;
                }
            }
        }
        frontier = next;
    }
    let mut ends = BTreeMap::new();
    for ((state, _), (_, paths)) in frontier {
        *ends.entry(state).or_insert(0) += paths;
    }
    (ends, visited)
}

#[test]
fn turning_back_in_moribund_states_loses_nothing_at_the_depth() {
    let (mut n_moribund, mut n_saved) = (0, 0);
    for seed in 0..cases(600) {
        let game = game_of(seed);
        let graph = Graph::complete(&game);
        let analysis = analysis_of(&game, 3);
        for (kind, machine) in machines(&analysis) {
            let longest = longest_continuations(&machine);
            n_moribund += longest[1..].iter().flatten().count();
            for start in (0..graph.edges.len()).step_by(5) {
                for depth in 0..=5 {
                    let (expected, visited) = ends(&graph, &machine, start, depth, None);
                    let (found, fewer) = ends(&graph, &machine, start, depth, Some(&longest));
                    let name = &graph.names[start];
                    assert_eq!(found, expected, "seed {seed}, {kind}: `{name}`, {depth}");
                    assert!(fewer <= visited);
                    n_saved += visited - fewer;
                }
            }
        }
    }
    assert!(
        n_moribund > 100 && n_saved > 1_000,
        "{n_moribund} {n_saved}"
    );
}
