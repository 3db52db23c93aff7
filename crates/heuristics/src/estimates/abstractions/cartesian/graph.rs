//! The transitions of an abstraction while it is refined.

use super::sets::CartesianSet;
use super::steps::Steps;

/// A step to or from another abstract state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Edge {
    pub(super) operator: u32,
    pub(super) state: u32,
}

/// By abstract state, what leads into it and out of it, except from and to itself.
#[derive(Clone, Debug)]
pub(super) struct Graph {
    into: Vec<Vec<Edge>>,
    out: Vec<Vec<Edge>>,
    n_edges: usize,
}

impl Graph {
    /// One abstract state.
    pub(super) fn new() -> Self {
        Self {
            into: vec![Vec::new()],
            out: vec![Vec::new()],
            n_edges: 0,
        }
    }

    pub(super) fn n_states(&self) -> usize {
        self.into.len()
    }

    pub(super) fn n_edges(&self) -> usize {
        self.n_edges
    }

    pub(super) fn incoming(&self, state: u32) -> &[Edge] {
        &self.into[state as usize]
    }

    pub(super) fn outgoing(&self, state: u32) -> &[Edge] {
        &self.out[state as usize]
    }

    /// Note that the last one of the sets was split off from an abstract state, and that they
    /// differ in this variable.
    pub(super) fn split(&mut self, steps: &Steps, sets: &[CartesianSet], state: u32, var: u32) {
        let new = self.n_states() as u32;
        self.into.push(Vec::new());
        self.out.push(Vec::new());
        let set = |state: u32| &sets[state as usize];
        for edge in std::mem::take(&mut self.into[state as usize]) {
            self.n_edges -= 1;
            let arrives = |at| steps.arrives(edge.operator, var, set(edge.state), set(at));
            let (is_old, is_new) = (arrives(state), arrives(new));
            if !is_old {
                take(&mut self.out[edge.state as usize], edge.operator, state);
            } else {
                self.into[state as usize].push(edge);
                self.n_edges += 1;
            }
            if is_new {
                self.add(edge.operator, edge.state, new);
            }
        }
        for edge in std::mem::take(&mut self.out[state as usize]) {
            self.n_edges -= 1;
            let leaves = |from| steps.leaves(edge.operator, var, set(from), set(edge.state));
            let (is_old, is_new) = (leaves(state), leaves(new));
            if !is_old {
                take(&mut self.into[edge.state as usize], edge.operator, state);
            } else {
                self.out[state as usize].push(edge);
                self.n_edges += 1;
            }
            if is_new {
                self.add(edge.operator, new, edge.state);
            }
        }
        // What changes no value of the variable leads from each part to itself only.
        for operator in steps.operators.changing(var) {
            for (from, to) in [(state, new), (new, state)] {
                if steps.leads(*operator, set(from), set(to)) {
                    self.add(*operator, from, to);
                }
            }
        }
    }

    fn add(&mut self, operator: u32, from: u32, to: u32) {
        self.out[from as usize].push(Edge {
            operator,
            state: to,
        });
        self.into[to as usize].push(Edge {
            operator,
            state: from,
        });
        self.n_edges += 1;
    }
}

fn take(edges: &mut Vec<Edge>, operator: u32, state: u32) {
    let gone = Edge { operator, state };
    let found = edges.iter().position(|edge| *edge == gone);
    edges.swap_remove(found.expect("edges are noted at both ends"));
}
