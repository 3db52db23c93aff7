//! The abstract state of a state.

use super::sets;
use crate::estimates::abstractions::cost_partitioning::summed::Abstraction;

/// A tree of splits, which leads each state to its abstract state.
#[derive(Clone, Debug)]
pub(super) struct Hierarchy {
    nodes: Vec<Node>,
    /// The values of splits.
    words: Vec<u64>,
}

#[derive(Clone, Copy, Debug)]
enum Node {
    /// An abstract state.
    Whole(u32),
    /// Two nodes: one for states in which the variable has one of some values, the other one, next
    /// to it, for other states.
    Split { var: u32, words: u32, inside: u32 },
}

impl Hierarchy {
    /// All states are in abstract state 0.
    pub(super) fn new() -> Self {
        Self {
            nodes: vec![Node::Whole(0)],
            words: Vec::new(),
        }
    }

    pub(super) fn n_bytes(&self) -> usize {
        self.nodes.len() * size_of::<Node>() + self.words.len() * size_of::<u64>()
    }

    #[inline]
    fn found(&self, state: &[u32]) -> (usize, u32) {
        let mut number = 0;
        loop {
            match self.nodes[number] {
                Node::Whole(abstract_state) => return (number, abstract_state),
                Node::Split { var, words, inside } => {
                    let is_inside = sets::has(&self.words[words as usize..], state[var as usize]);
                    number = inside as usize + usize::from(!is_inside);
                }
            }
        }
    }

    /// Split the abstract state of a state: where the variable has one of these values, it is
    /// `inside` from now on.
    pub(super) fn split(&mut self, state: &[u32], var: u32, values: &[u64], inside: u32) {
        let (number, outside) = self.found(state);
        self.nodes[number] = Node::Split {
            var,
            words: self.words.len() as u32,
            inside: self.nodes.len() as u32,
        };
        self.words.extend_from_slice(values);
        self.nodes
            .extend([Node::Whole(inside), Node::Whole(outside)]);
    }
}

impl Abstraction for Hierarchy {
    #[inline]
    fn of(&self, state: &[u32]) -> u32 {
        self.found(state).1
    }
}
