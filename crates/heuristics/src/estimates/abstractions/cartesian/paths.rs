//! The cheapest paths from abstract states to the target while the abstraction is refined.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::graph::{Edge, Graph};

/// The cost of a path: costs of operators, and then steps. So each step costs something, and no
/// circle is a cheapest path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct PathCost {
    cost: u128,
    steps: u32,
}

const NO_PATH: PathCost = PathCost {
    cost: u128::MAX,
    steps: u32::MAX,
};

impl PathCost {
    fn before(self, cost: u64) -> Self {
        Self {
            cost: self.cost.saturating_add(u128::from(cost)),
            steps: self.steps.saturating_add(1),
        }
    }
}

/// A cheapest path from each abstract state: a tree, which is repaired where a split breaks it
/// (Seipp, von Allmen & Helmert 2020, "Incremental Search for Counterexample-Guided Cartesian
/// Abstraction Refinement").
#[derive(Clone, Debug)]
pub(super) struct CheapestPaths {
    costs: Vec<PathCost>,
    /// The first step of the path; none where the target is, or can't be reached.
    steps: Vec<Option<Edge>>,
}

impl CheapestPaths {
    /// One abstract state.
    pub(super) fn new(is_target: bool) -> Self {
        let cost = PathCost { cost: 0, steps: 0 };
        Self {
            costs: vec![if is_target { cost } else { NO_PATH }],
            steps: vec![None],
        }
    }

    /// Return whether the target can be reached.
    pub(super) fn exists_from(&self, state: u32) -> bool {
        self.costs[state as usize] != NO_PATH
    }

    /// Return what the cheapest path costs.
    #[cfg(test)]
    pub(super) fn cost(&self, state: u32) -> Option<u64> {
        let cost = self.costs[state as usize].cost;
        self.exists_from(state).then_some(cost as u64)
    }

    /// Return the first step of a cheapest path; none from the target.
    pub(super) fn step_from(&self, state: u32) -> Option<Edge> {
        self.steps[state as usize]
    }

    /// Repair the paths after the last abstract state was split off from another one.
    ///
    /// No path becomes cheaper by a split. So a state keeps its cost if a step leads it to one that
    /// keeps its own; states are examined in the order of costs.
    pub(super) fn repair(&mut self, graph: &Graph, costs: &[u64], split: u32, is_target: &[bool]) {
        let new = self.costs.len() as u32;
        self.costs.push(self.costs[split as usize]);
        self.steps.push(self.steps[split as usize]);
        if !self.exists_from(split) {
            return;
        }
        let mut queue = BinaryHeap::new();
        for part in [split, new] {
            queue.push(self.entry(part));
            queue.extend(self.before(graph, part, split));
        }
        let mut lost = Vec::new();
        while let Some(Reverse((cost, state))) = queue.pop() {
            if self.costs[state as usize] != cost {
                // It lost its path before.
                continue;
            }
            let number = state as usize;
            if is_target[number] {
                self.steps[number] = None;
                continue;
            }
            let kept = graph.outgoing(state).iter().find(|edge| {
                let next = self.costs[edge.state as usize];
                next != NO_PATH && next.before(costs[edge.operator as usize]) == cost
            });
            self.steps[number] = kept.copied();
            if kept.is_none() {
                self.costs[number] = NO_PATH;
                lost.push(state);
                queue.extend(self.before(graph, state, state));
            }
        }
        self.find_again(graph, costs, &lost);
    }

    fn entry(&self, state: u32) -> Reverse<(PathCost, u32)> {
        Reverse((self.costs[state as usize], state))
    }

    /// Return the states before a state whose paths go on to `next`.
    fn before(
        &self,
        graph: &Graph,
        state: u32,
        next: u32,
    ) -> impl Iterator<Item = Reverse<(PathCost, u32)>> {
        let goes_on = move |edge: &&Edge| {
            let step = self.step_from(edge.state);
            step.is_some_and(|step| step.state == next)
        };
        let before = graph.incoming(state).iter().filter(goes_on);
        before.map(|edge| self.entry(edge.state))
    }

    /// Find paths from states that lost theirs (Dijkstra's algorithm).
    fn find_again(&mut self, graph: &Graph, costs: &[u64], lost: &[u32]) {
        let mut queue = BinaryHeap::new();
        for state in lost {
            for edge in graph.outgoing(*state) {
                let next = self.costs[edge.state as usize];
                if next != NO_PATH {
                    queue.push(Reverse((
                        next.before(costs[edge.operator as usize]),
                        *state,
                        edge.operator,
                        edge.state,
                    )));
                }
            }
        }
        while let Some(Reverse((cost, state, operator, next))) = queue.pop() {
            if self.exists_from(state) {
                continue;
            }
            self.costs[state as usize] = cost;
            self.steps[state as usize] = Some(Edge {
                operator,
                state: next,
            });
            for edge in graph.incoming(state) {
                if !self.exists_from(edge.state) {
                    queue.push(Reverse((
                        cost.before(costs[edge.operator as usize]),
                        edge.state,
                        edge.operator,
                        state,
                    )));
                }
            }
        }
    }
}
