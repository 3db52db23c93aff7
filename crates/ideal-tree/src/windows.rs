//! For each state, the tree of the sequences in which every part is least at the state where it
//! begins.

use budget::StopReason;

use crate::Order;
use crate::least::Finder;
use crate::space::Space;
use crate::work::Work;

const NONE: u32 = u32::MAX;

/// A sequence at a state.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// The node without the last rule.
    parent: u32,
    rule: u32,
    /// The state where the sequence ends.
    end: u32,
    /// The node of the sequence without its first rule, at the state after that rule.
    suffix: u32,
    first_child: u32,
    n_children: u32,
    length: u32,
}

/// For each state near the start, a tree of the sequences all of whose parts are least where they
/// begin. Children are in the order of the rules.
pub(crate) struct Windows {
    nodes: Vec<Node>,
    /// The node of the empty sequence at each state.
    roots: Vec<u32>,
    max_length: usize,
}

impl Windows {
    /// Return the sequences of at most `max_length` rules at the first `n_states` states of a
    /// space, which must contain all states within `max_length` moves of these.
    ///
    /// If a sequence leads out of these states, only its beginnings are compared.
    pub(crate) fn of(
        space: &Space,
        n_states: usize,
        order: Order,
        max_length: usize,
        work: &Work,
    ) -> Result<Self, StopReason> {
        let mut finder = Finder::new(space, order, max_length);
        let mut windows = Self {
            nodes: Vec::new(),
            roots: Vec::new(),
            max_length,
        };
        for state in 0..n_states {
            let root = windows.nodes.len();
            windows.roots.push(number(root)?);
            let least = finder.least(number(state)?);
            work.step(finder.take_steps())?;
            for (place, step) in least.iter().enumerate() {
                let at = number(root + place)?;
                let mut parent = NONE;
                if step.length > 0 {
                    parent = number(root + step.parent as usize)?;
                    let parent = &mut windows.nodes[parent as usize];
                    if parent.n_children == 0 {
                        parent.first_child = at;
                    }
                    parent.n_children += 1;
                }
                windows.nodes.push(Node {
                    parent,
                    rule: step.rule,
                    end: step.end,
                    suffix: NONE,
                    first_child: NONE,
                    n_children: 0,
                    length: step.length,
                });
            }
            work.check(0, windows.nodes.capacity() * size_of::<Node>())?;
        }
        windows.find_suffixes(work)?;
        Ok(windows)
    }

    /// Find the node of each sequence without its first rule. Drop the sequences that have none
    /// although the state after their first rule has a tree.
    ///
    /// In the order by length nothing is dropped: a part of a least sequence is least. In the order
    /// by cost, the replacement of a part may be longer than the part, and so the whole longer than
    /// any sequence that is compared.
    fn find_suffixes(&mut self, work: &Work) -> Result<(), StopReason> {
        for length in 1..=self.max_length {
            for at in 0..self.nodes.len() {
                let node = self.nodes[at];
                if node.length as usize != length {
                    continue;
                }
                let parent = self.nodes[node.parent as usize];
                let is_known = |node: u32| node != NONE;
                let (suffix, keep) = if length == 1 {
                    (self.root(node.end).unwrap_or(NONE), true)
                } else if !is_known(parent.suffix) {
                    // The parent was dropped, or leads out of the states with trees.
                    let first = self.first_step(node.parent);
                    (NONE, self.root(self.nodes[first as usize].end).is_none())
                } else {
                    let suffix = self.child(parent.suffix, node.rule);
                    (suffix.unwrap_or(NONE), suffix.is_some())
                };
                self.nodes[at].suffix = suffix;
                if !keep {
                    self.drop_node(at);
                }
            }
            work.check(0, self.nodes.capacity() * size_of::<Node>())?;
        }
        Ok(())
    }

    /// Return the beginning of one rule.
    fn first_step(&self, mut node: u32) -> u32 {
        while self.nodes[node as usize].length > 1 {
            node = self.nodes[node as usize].parent;
        }
        node
    }

    /// Remove a node. Its place stays, and no rule leads there.
    fn drop_node(&mut self, at: usize) {
        self.nodes[at].rule = NONE;
    }

    /// Return the node of the empty sequence at a state, if the state has a tree.
    pub(crate) fn root(&self, state: u32) -> Option<u32> {
        self.roots.get(state as usize).copied()
    }

    /// Return the states that have trees.
    pub(crate) fn n_states(&self) -> usize {
        self.roots.len()
    }

    pub(crate) fn max_length(&self) -> usize {
        self.max_length
    }

    /// Return the node of a sequence and one more rule.
    pub(crate) fn child(&self, node: u32, rule: u32) -> Option<u32> {
        let children = self.children(node);
        children
            .clone()
            .find(|at| self.nodes[*at as usize].rule == rule)
    }

    fn children(&self, node: u32) -> std::ops::Range<u32> {
        let node = &self.nodes[node as usize];
        match node.n_children {
            0 => 0..0,
            n => node.first_child..node.first_child + n,
        }
    }

    /// Return the state where a sequence ends.
    pub(crate) fn end(&self, node: u32) -> u32 {
        self.nodes[node as usize].end
    }

    /// Return the node of the sequence without its first rule, if there is one.
    pub(crate) fn suffix(&self, node: u32) -> Option<u32> {
        let suffix = self.nodes[node as usize].suffix;
        (suffix != NONE).then_some(suffix)
    }

    /// Return the nodes one move further in the ideal tree, each with its rule. A node represents
    /// all paths that end with the same last rules. A node outside the states with trees is `None`.
    pub(crate) fn next(&self, node: u32) -> impl Iterator<Item = (u32, Option<u32>)> + '_ {
        self.children(node).filter_map(move |at| {
            let child = &self.nodes[at as usize];
            if child.rule == NONE {
                return None;
            }
            let is_full = child.length as usize == self.max_length;
            let next = if is_full { self.suffix(at) } else { Some(at) };
            Some((child.rule, next))
        })
    }
}

fn number(index: usize) -> Result<u32, StopReason> {
    match u32::try_from(index) {
        Ok(NONE) | Err(_) => Err(StopReason::TooLarge),
        Ok(number) => Ok(number),
    }
}
