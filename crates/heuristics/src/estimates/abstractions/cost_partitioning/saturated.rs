//! What an abstraction needs of the costs, and what it leaves.

use std::iter::zip;

use search::DEAD_END;

use super::transition_system::TransitionSystem;

/// The costs of operators that no abstraction took so far.
#[derive(Clone, Debug)]
pub(super) struct Remaining {
    costs: Vec<u64>,
    /// By operator, 0 between the computations: what an abstraction needs.
    needed: Vec<u64>,
}

impl Remaining {
    pub(super) fn new(costs: &[u64]) -> Self {
        Self {
            costs: costs.to_vec(),
            needed: vec![0; costs.len()],
        }
    }

    /// Return what the goal of an abstraction costs from each state, and take away from the costs
    /// what the abstraction needs for that. With a state `farthest`, distances that are greater
    /// than its own count as that, and need less.
    pub(super) fn take(&mut self, system: &TransitionSystem, farthest: Option<u32>) -> Vec<u64> {
        let mut distances = system.distances(&self.costs);
        let cap = farthest.map_or(DEAD_END, |state| distances[state as usize]);
        for distance in &mut distances {
            if *distance != DEAD_END {
                *distance = cap.min(*distance);
            }
        }
        for (operator, cost) in zip(system.operators(), self.saturated(system, &distances)) {
            self.costs[*operator as usize] -= cost;
        }
        distances
    }

    /// Return by operator of an abstraction the least cost with which the distances remain what
    /// they are.
    pub(super) fn saturated(&mut self, system: &TransitionSystem, distances: &[u64]) -> Vec<u64> {
        for transition in system.transitions() {
            let source = distances[transition.source as usize];
            // What leads to a dead end is on no path to the goal, and what leads away from one only
            // leads to others.
            if source != DEAD_END {
                let drop = source.saturating_sub(distances[transition.target as usize]);
                let needed = &mut self.needed[transition.operator as usize];
                *needed = drop.max(*needed);
            }
        }
        let operators = system.operators().iter();
        let needed = operators.map(|operator| std::mem::take(&mut self.needed[*operator as usize]));
        needed.collect()
    }
}
