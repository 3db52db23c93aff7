//! The states that SMA\* remembers, each with its children, remembered or not.

use crate::best_first::budget::Budget;
use crate::best_first::searches::sma::heap::Heap;
use crate::best_first::space::packed::hash;
use crate::run::limits::StopReason;

/// The number of no node.
pub(super) const NONE: u32 = u32::MAX;

/// The value of what leads to no solution.
pub(super) const NEVER: u64 = u64::MAX;

/// A child of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child {
    pub(super) rule: u32,
    /// Its node, if it is remembered.
    pub(super) node: u32,
    /// Otherwise a lower bound on the cost of all solutions through it: what its forgotten subtree
    /// had proved, or its estimate.
    pub(super) value: u64,
}

/// A remembered state, whose children were made.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) state: Box<[u64]>,
    pub(super) cost: u64,
    pub(super) depth: u32,
    /// The next node with the same place in the index, or the next free number.
    next: u32,
    /// The first parent, and others that reach the state with the same cost and number of moves.
    pub(super) parent: u32,
    parents: Vec<u32>,
    pub(super) children: Box<[Child]>,
    n_remembered: u32,
}

impl Node {
    /// Return the least value of the children that aren't remembered.
    pub(super) fn value(&self) -> u64 {
        let open = self.children.iter().filter(|child| child.node == NONE);
        open.map(|child| child.value).min().unwrap_or(NEVER)
    }

    fn all_parents(&self) -> impl Iterator<Item = u32> {
        let first = (self.parent != NONE).then_some(self.parent);
        first.into_iter().chain(self.parents.iter().copied())
    }

    fn bytes(&self) -> usize {
        size_of_val(&*self.state)
            + size_of_val(&*self.children)
            + self.parents.capacity() * size_of::<u32>()
    }
}

/// The remembered states: the start, and whatever else there is memory for. All of them are reached
/// by remembered ones.
#[derive(Debug)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    /// The first free number among the nodes.
    free: u32,
    /// For each place of the index, the first of its nodes.
    index: Vec<u32>,
    pub(super) n_nodes: u64,
    /// The nodes with children that aren't remembered: those of least value first, and of these the
    /// deepest.
    open: Heap,
    /// The nodes without remembered children: those of greatest value first, and of these the one
    /// with the fewest moves.
    leaves: Heap,
    /// The number of nodes for which `keep_path` has memory.
    n_reserved: usize,
}

/// The bytes that `keep_path` needs for each node.
const RESERVED: usize = size_of::<u64>() + size_of::<u32>() + size_of::<bool>();

impl Tree {
    pub(super) fn new() -> Self {
        Self {
            nodes: Vec::new(),
            free: NONE,
            index: Vec::new(),
            n_nodes: 0,
            open: Heap::default(),
            leaves: Heap::default(),
            n_reserved: 0,
        }
    }

    pub(super) fn node(&self, id: u32) -> &Node {
        &self.nodes[id as usize]
    }

    fn node_mut(&mut self, id: u32) -> &mut Node {
        &mut self.nodes[id as usize]
    }

    /// Return the node that is extended next, with its value.
    pub(super) fn first_open(&self) -> Option<(u64, u32)> {
        self.open.first().map(|((value, _), id)| (value, id))
    }

    /// Return the node of a state.
    pub(super) fn find(&self, state: &[u64]) -> Option<u32> {
        let mut id = *self.index.get(self.place(state))?;
        while id != NONE && *self.node(id).state != *state {
            id = self.node(id).next;
        }
        (id != NONE).then_some(id)
    }

    /// Return the place of a state in the index, whose size is a power of two.
    fn place(&self, state: &[u64]) -> usize {
        hash(state) as usize & self.index.len().wrapping_sub(1)
    }

    /// Make sure that a number is free, or return that the memory for more numbers is missing.
    pub(super) fn has_number(&mut self, budget: &mut Budget) -> bool {
        self.free != NONE || self.grow(budget).is_ok()
    }

    fn grow(&mut self, budget: &mut Budget) -> Result<(), StopReason> {
        let n = self.nodes.len();
        if n < self.nodes.capacity() {
            return Ok(());
        }
        let wanted = n + (n / 8).max(8);
        if u32::try_from(wanted).is_err() {
            return Err(StopReason::Memory);
        }
        // The nodes come last, so that the others have room for all of them.
        budget.claim(wanted.saturating_sub(self.n_reserved) * RESERVED)?;
        self.n_reserved = self.n_reserved.max(wanted);
        self.open.grow(wanted, budget)?;
        self.leaves.grow(wanted, budget)?;
        if self.index.is_empty() || n >= self.index.len() {
            // A smaller index is only slower.
            let grown = self.grow_index(wanted.next_power_of_two(), budget);
            if self.index.is_empty() {
                grown?;
            }
        }
        budget.grow(&mut self.nodes, wanted)
    }

    fn grow_index(&mut self, n_places: usize, budget: &mut Budget) -> Result<(), StopReason> {
        let mut index = Vec::new();
        budget.grow(&mut index, n_places)?;
        index.resize(n_places, NONE);
        let before = std::mem::replace(&mut self.index, index);
        for first in &before {
            let mut id = *first;
            while id != NONE {
                let next = self.node(id).next;
                self.enter(id);
                id = next;
            }
        }
        budget.release(before.capacity() * size_of::<u32>());
        Ok(())
    }

    /// Put a node into the index.
    fn enter(&mut self, id: u32) {
        let place = self.place(&self.node(id).state);
        let next = std::mem::replace(&mut self.index[place], id);
        self.node_mut(id).next = next;
    }

    /// Return the bytes of a node that aren't in the tables.
    pub(super) fn bytes_of(state: &[u64], children: &[Child]) -> usize {
        size_of_val(state) + size_of_val(children)
    }

    /// Remember a state, reached from `parent` by its child number `which`. There must be a free
    /// number.
    pub(super) fn remember(
        &mut self,
        state: &[u64],
        cost: u64,
        (parent, which): (u32, usize),
        children: &[Child],
        budget: &mut Budget,
    ) -> Result<u32, StopReason> {
        budget.claim(Self::bytes_of(state, children))?;
        let depth = match parent {
            NONE => 0,
            parent => self.node(parent).depth + 1,
        };
        let node = Node {
            state: state.into(),
            cost,
            depth,
            next: NONE,
            parent,
            parents: Vec::new(),
            children: children.into(),
            n_remembered: 0,
        };
        let id = match self.free {
            NONE => {
                self.open.name_item();
                self.leaves.name_item();
                self.nodes.push(node);
                (self.nodes.len() - 1) as u32
            }
            id => {
                self.free = self.node(id).next;
                self.nodes[id as usize] = node;
                id
            }
        };
        self.n_nodes += 1;
        self.enter(id);
        if parent != NONE {
            self.attach(parent, which, id);
        }
        self.sort_in(id);
        Ok(id)
    }

    /// Let a child of a node be a remembered node.
    fn attach(&mut self, parent: u32, which: usize, id: u32) {
        let node = self.node_mut(parent);
        node.children[which].node = id;
        node.n_remembered += 1;
        self.sort_in(parent);
    }

    /// Make a node that is reached by another path of the same cost and length a child of the last
    /// node of that path too.
    ///
    /// # Errors
    /// With the bytes that it takes, if there is no memory for them.
    pub(super) fn link(
        &mut self,
        parent: u32,
        which: usize,
        id: u32,
        budget: &mut Budget,
    ) -> Result<(), usize> {
        let parents = &mut self.nodes[id as usize].parents;
        let n_parents = parents.len() + 1;
        budget
            .grow(parents, n_parents)
            .map_err(|_| n_parents * size_of::<u32>())?;
        parents.push(parent);
        self.attach(parent, which, id);
        Ok(())
    }

    /// Set the value of a child that isn't remembered.
    pub(super) fn set_value(&mut self, parent: u32, which: usize, value: u64) {
        self.node_mut(parent).children[which].value = value;
        self.sort_in(parent);
    }

    /// Put a node where it belongs among the open ones and among the leaves.
    fn sort_in(&mut self, id: u32) {
        let node = self.node(id);
        let (value, depth, is_leaf) = (node.value(), node.depth, node.n_remembered == 0);
        match value {
            NEVER => self.open.remove(id),
            _ => self.open.set(id, (value, u32::MAX - depth)),
        }
        if is_leaf {
            self.leaves.set(id, (NEVER - value, depth));
        } else {
            self.leaves.remove(id);
        }
    }

    /// Forget the worst leaf that isn't `kept`: all its parents remember its value. Return whether
    /// there was one.
    pub(super) fn forget_worst(&mut self, kept: u32, budget: &mut Budget) -> bool {
        self.leaves.remove(kept);
        let worst = self.leaves.first();
        if let Some((_, id)) = worst {
            let value = self.node(id).value();
            self.detach(id, value);
            self.free(id, budget);
        }
        if self.node(kept).n_remembered == 0 {
            self.sort_in(kept);
        }
        worst.is_some()
    }

    /// Let no node have this one as a remembered child: the child has this value from now on.
    fn detach(&mut self, id: u32, value: u64) {
        let parents: Vec<u32> = self.node(id).all_parents().collect();
        for parent in parents {
            self.detach_from(parent, id, value);
        }
    }

    fn detach_from(&mut self, parent: u32, id: u32, value: u64) {
        let node = self.node_mut(parent);
        for child in node.children.iter_mut().filter(|child| child.node == id) {
            *child = Child {
                node: NONE,
                value,
                ..*child
            };
            node.n_remembered -= 1;
        }
        self.sort_in(parent);
    }

    /// Free the number and the memory of a node that no other one refers to.
    fn free(&mut self, id: u32, budget: &mut Budget) {
        self.open.remove(id);
        self.leaves.remove(id);
        let place = self.place(&self.node(id).state);
        let next = self.node(id).next;
        let mut before = self.index[place];
        if before == id {
            self.index[place] = next;
        } else {
            while self.node(before).next != id {
                before = self.node(before).next;
            }
            self.node_mut(before).next = next;
        }
        budget.release(self.node(id).bytes());
        let next = std::mem::replace(&mut self.free, id);
        *self.node_mut(id) = Node {
            state: Box::new([]),
            cost: 0,
            depth: 0,
            next,
            parent: NONE,
            parents: Vec::new(),
            children: Box::new([]),
            n_remembered: 0,
        };
        self.n_nodes -= 1;
    }

    /// Remove a node whose state is reached by a better path, with all that is reached through it
    /// alone.
    pub(super) fn discard(&mut self, id: u32, budget: &mut Budget) {
        self.detach(id, NEVER);
        let mut discarded = vec![id];
        while let Some(id) = discarded.pop() {
            let children = std::mem::take(&mut self.node_mut(id).children);
            budget.release(size_of_val(&*children));
            for child in children.iter().filter(|child| child.node != NONE) {
                if self.forget_parent(child.node, id) {
                    discarded.push(child.node);
                }
            }
            self.free(id, budget);
        }
    }

    /// Take a parent from a node, and return whether it was the only one.
    fn forget_parent(&mut self, id: u32, parent: u32) -> bool {
        let node = self.node_mut(id);
        if node.parent == parent {
            // Two rules may lead from a node to the same child.
            node.parents.retain(|it| *it != parent);
            node.parent = node.parents.pop().unwrap_or(NONE);
        } else {
            node.parents.retain(|it| *it != parent);
        }
        node.parent == NONE
    }

    /// Forget all nodes that aren't on the path to a node, where that node is the only leaf. Return
    /// whether there were some.
    ///
    /// They reach nodes of the path by other paths of the same cost and length. Each remembers what
    /// the memory holds of these before it is forgotten.
    pub(super) fn keep_path(&mut self, last: u32, budget: &mut Budget) -> bool {
        let mut is_kept = vec![false; self.nodes.len()];
        let mut id = last;
        while id != NONE {
            is_kept[id as usize] = true;
            id = self.node(id).parent;
        }
        let has_state = |id: &u32| !self.node(*id).state.is_empty();
        let mut by_depth: Vec<u32> = (0..self.nodes.len() as u32).filter(has_state).collect();
        if by_depth.iter().all(|id| is_kept[*id as usize]) {
            return false;
        }
        by_depth.sort_unstable_by_key(|id| std::cmp::Reverse(self.node(*id).depth));
        let mut values = vec![NEVER; self.nodes.len()];
        for id in by_depth {
            let node = self.node(id);
            let remembered = node.children.iter().filter(|child| child.node != NONE);
            let remembered: Vec<u32> = remembered.map(|child| child.node).collect();
            let below = remembered.iter().map(|child| values[*child as usize]);
            values[id as usize] = below.fold(node.value(), u64::min);
            if is_kept[id as usize] {
                continue;
            }
            for child in remembered {
                self.detach_from(id, child, values[child as usize]);
                self.forget_parent(child, id);
            }
            self.detach(id, values[id as usize]);
            self.free(id, budget);
        }
        true
    }

    /// Return the rules on the path to a node, the last one first.
    pub(super) fn rules_back(&self, mut id: u32) -> impl Iterator<Item = u32> {
        std::iter::from_fn(move || {
            let parent = self.node(id).parent;
            if parent == NONE {
                return None;
            }
            let mut children = self.node(parent).children.iter();
            let child = children.find(|child| child.node == id);
            id = parent;
            child.map(|child| child.rule)
        })
    }

    /// Return the bytes of the tables and nodes, and those of the lists of nodes.
    pub(super) fn bytes(&self) -> (usize, usize) {
        let nodes: usize = self.nodes.iter().map(Node::bytes).sum();
        let tables =
            self.nodes.capacity() * size_of::<Node>() + self.index.capacity() * size_of::<u32>();
        (nodes + tables, self.open.bytes() + self.leaves.bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn children(values: &[u64]) -> Vec<Child> {
        let child = |(rule, value): (u32, &u64)| Child {
            rule,
            node: NONE,
            value: *value,
        };
        (0..).zip(values).map(child).collect()
    }

    /// Two states between the start and a state that both reach.
    fn diamond(budget: &mut Budget) -> (Tree, [u32; 4]) {
        let mut tree = Tree::new();
        let mut remember = |tree: &mut Tree, state, at, values: &[u64]| {
            assert!(tree.has_number(budget));
            let cost = if at == (NONE, 0) { 0 } else { 1 };
            tree.remember(&[state], cost, at, &children(values), budget)
                .unwrap()
        };
        let start = remember(&mut tree, 7, (NONE, 0), &[3, 3, 8]);
        let one = remember(&mut tree, 8, (start, 0), &[4]);
        let other = remember(&mut tree, 9, (start, 1), &[9, 4]);
        let last = remember(&mut tree, 10, (one, 0), &[6, 5]);
        tree.link(other, 1, last, budget).unwrap();
        (tree, [start, one, other, last])
    }

    #[test]
    fn all_parents_remember_the_value_of_what_is_forgotten() {
        let mut budget = Budget::new(None);
        let (mut tree, [start, one, other, last]) = diamond(&mut budget);
        assert_eq!(tree.first_open(), Some((5, last)));
        assert!(tree.forget_worst(start, &mut budget));
        assert_eq!([one, other].map(|id| tree.node(id).value()), [5, 5]);
        assert_eq!((tree.n_nodes, tree.find(&[10])), (3, None));
    }

    #[test]
    fn what_is_off_a_path_hands_on_what_the_path_has() {
        let mut budget = Budget::new(None);
        let (mut tree, [start, one, _, last]) = diamond(&mut budget);
        assert!(!tree.forget_worst(last, &mut budget));
        assert!(tree.keep_path(last, &mut budget));
        assert!(!tree.keep_path(last, &mut budget));
        assert_eq!((tree.n_nodes, tree.find(&[9])), (3, None));
        assert_eq!(tree.node(start).children[1].value, 5);
        assert_eq!(tree.node(start).children[0].node, one);
        assert_eq!(tree.find(&[10]), Some(last));
        assert_eq!(tree.rules_back(last).collect::<Vec<_>>(), [0, 0]);
    }

    #[test]
    fn a_better_path_discards_what_only_the_worse_one_reaches() {
        let mut budget = Budget::new(None);
        let (mut tree, [start, one, other, last]) = diamond(&mut budget);
        tree.discard(one, &mut budget);
        assert_eq!(tree.node(start).children[0].value, NEVER);
        assert_eq!(tree.node(last).parent, other);
        tree.discard(other, &mut budget);
        assert_eq!((tree.n_nodes, tree.find(&[10])), (1, None));
        assert_eq!(tree.first_open(), Some((8, start)));
    }
}
