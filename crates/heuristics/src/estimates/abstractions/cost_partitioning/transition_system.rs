//! Abstract states, what leads from one to another, and which of them are goals.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use search::DEAD_END;

/// A step between two abstract states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Transition {
    pub(crate) operator: u32,
    pub(crate) source: u32,
    pub(crate) target: u32,
}

/// An abstraction of any kind, as far as its costs matter. Transitions from a state to itself are
/// left out: they are on no shortest path, and each of them may cost nothing.
#[derive(Clone, Debug)]
pub(crate) struct TransitionSystem {
    /// By state: where the transitions into it begin; the last entry is where they end.
    starts: Box<[u32]>,
    /// By transition, in the order of targets: its operator, and where it comes from.
    into: Box<[(u32, u32)]>,
    goals: Box<[u32]>,
    /// The operators of transitions, each once.
    operators: Box<[u32]>,
}

impl TransitionSystem {
    /// Make it from the transitions into each state, as operators and sources.
    pub(crate) fn new(into: &[Vec<(u32, u32)>], goals: impl Iterator<Item = u32>) -> Self {
        let mut starts = vec![0];
        for transitions in into {
            starts.push(starts[starts.len() - 1] + transitions.len() as u32);
        }
        let into: Vec<(u32, u32)> = into.iter().flatten().copied().collect();
        let mut operators: Vec<u32> = into.iter().map(|(operator, _)| *operator).collect();
        operators.sort_unstable();
        operators.dedup();
        Self {
            starts: starts.into(),
            into: into.into(),
            goals: goals.collect(),
            operators: operators.into(),
        }
    }

    pub(crate) fn n_states(&self) -> usize {
        self.starts.len() - 1
    }

    pub(crate) fn n_transitions(&self) -> usize {
        self.into.len()
    }

    /// Return whether all states are goals, so that it estimates nothing.
    pub(crate) fn is_trivial(&self) -> bool {
        self.goals.len() == self.n_states()
    }

    pub(crate) fn n_bytes(&self) -> usize {
        size_of_val(&*self.starts) + size_of_val(&*self.into) + size_of_val(&*self.operators)
    }

    /// Return the operators that lead from one state to another.
    pub(super) fn operators(&self) -> &[u32] {
        &self.operators
    }

    fn incoming(&self, state: u32) -> &[(u32, u32)] {
        let state = state as usize;
        &self.into[self.starts[state] as usize..self.starts[state + 1] as usize]
    }

    /// Return all transitions.
    pub(crate) fn transitions(&self) -> impl Iterator<Item = Transition> + '_ {
        (0..self.n_states() as u32).flat_map(move |target| {
            let into = self.incoming(target).iter();
            into.map(move |(operator, source)| Transition {
                operator: *operator,
                source: *source,
                target,
            })
        })
    }

    /// Return what the goal costs from each state, if operators cost this; [`DEAD_END`] where it
    /// can't be reached.
    pub(crate) fn distances(&self, costs: &[u64]) -> Vec<u64> {
        let mut distances = vec![DEAD_END; self.n_states()];
        let mut queue = BinaryHeap::new();
        for goal in &self.goals {
            distances[*goal as usize] = 0;
            queue.push(Reverse((0, *goal)));
        }
        while let Some(Reverse((distance, state))) = queue.pop() {
            if distance > distances[state as usize] {
                continue;
            }
            for (operator, source) in self.incoming(state) {
                let sum = distance.saturating_add(costs[*operator as usize]);
                let sum = sum.min(DEAD_END - 1);
                let known = &mut distances[*source as usize];
                if sum < *known {
                    *known = sum;
                    queue.push(Reverse((sum, *source)));
                }
            }
        }
        distances
    }
}
