//! The stored sets of changes as a trie, for queries that many sets may answer.

use std::collections::HashMap;

use ahash::RandomState;

use super::segments::Segments;
use super::shard::NONE;
use crate::generalization::demands::{Choice, Facts, Key};

/// The maximum number of children of a node that are not indexed.
const MOST_CHAINED: u16 = 12;

/// A stored set of changes: a root of a shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ChangeSet {
    pub(super) shard: u8,
    pub(super) root: u32,
}

/// A node: the sets that begin with the changes on the way to it.
#[derive(Clone, Debug)]
struct Node {
    /// The change on the edge into this node; 0 in the first one.
    key: Key,
    first_child: u32,
    /// The next child of the same parent.
    next_sibling: u32,
    n_children: u16,
    shard: u8,
    /// The root of the set that ends here; of a leaf, the only set that begins so; or [`NONE`].
    root: u32,
}

/// A trie of sets of changes, each in ascending order. A set ends where no other one begins like
/// it, so there is about one node for each set.
#[derive(Clone, Debug)]
pub(super) struct ChangeSets {
    nodes: Segments<Node>,
    /// The children of nodes that have many.
    wide: HashMap<(u32, Key), u32, RandomState>,
    /// For each shard, the number of its roots that were added.
    n_added: Vec<usize>,
}

impl ChangeSets {
    /// Make a trie without sets.
    pub(super) fn new(n_shards: usize) -> Self {
        let mut nodes = Segments::new();
        nodes.push(Node::leaf(0, None));
        Self {
            nodes,
            wide: HashMap::default(),
            n_added: vec![0; n_shards],
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.nodes.bytes() + self.wide.capacity() * (size_of::<((u32, Key), u32)>() + 1)
    }

    /// Return the roots of a shard with `n_roots` roots that weren't added yet, and note that they
    /// are.
    pub(super) fn take_new(
        &mut self,
        shard: u8,
        n_roots: usize,
    ) -> impl Iterator<Item = ChangeSet> + use<> {
        let added = std::mem::replace(&mut self.n_added[usize::from(shard)], n_roots);
        (added as u32..n_roots as u32).map(move |root| ChangeSet { shard, root })
    }

    /// Add a set that isn't there yet. `read` replaces a list by the changes of a set.
    pub(super) fn insert(&mut self, set: ChangeSet, read: impl Fn(ChangeSet, &mut Vec<Key>)) {
        let (mut changes, mut others) = (Vec::new(), Vec::new());
        read(set, &mut changes);
        let mut node = 0;
        for depth in 0.. {
            let slot = self.nodes.get(node);
            if slot.first_child == NONE
                && let Some(other) = slot.set()
            {
                // A leaf's set moves down unless it ends here.
                read(other, &mut others);
                if let Some(key) = others.get(depth) {
                    self.nodes.get_mut(node).root = NONE;
                    self.adopt(node, Node::leaf(*key, Some(other)));
                }
            }
            let Some(key) = changes.get(depth) else {
                let slot = self.nodes.get_mut(node);
                (slot.shard, slot.root) = (set.shard, set.root);
                return;
            };
            let Some(child) = self.child(node, *key) else {
                self.adopt(node, Node::leaf(*key, Some(set)));
                return;
            };
            node = child;
        }
    }

    fn adopt(&mut self, parent: u32, child: Node) {
        let key = child.key;
        let child = self.nodes.push(child);
        let slot = self.nodes.get_mut(parent);
        let first = std::mem::replace(&mut slot.first_child, child);
        slot.n_children = slot.n_children.saturating_add(1);
        let n_children = slot.n_children;
        self.nodes.get_mut(child).next_sibling = first;
        if n_children == MOST_CHAINED + 1 {
            let mut child = child;
            while child != NONE {
                let node = self.nodes.get(child);
                self.wide.insert((parent, node.key), child);
                child = node.next_sibling;
            }
        } else if n_children > MOST_CHAINED {
            self.wide.insert((parent, key), child);
        }
    }

    fn children(&self, node: u32) -> impl Iterator<Item = (u32, Key)> {
        let first = self.nodes.get(node).first_child;
        let child = |child: u32| (child != NONE).then_some(child);
        let next = move |at: &u32| child(self.nodes.get(*at).next_sibling);
        std::iter::successors(child(first), next).map(|child| (child, self.nodes.get(child).key))
    }

    fn child(&self, node: u32, key: Key) -> Option<u32> {
        if self.nodes.get(node).n_children > MOST_CHAINED {
            return self.wide.get(&(node, key)).copied();
        }
        let mut children = self.children(node);
        children.find(|(_, it)| *it == key).map(|(child, _)| child)
    }

    /// Call `found` with all sets that a sequence may make in order to generalize the one with
    /// these facts, and with a few others, which have only begun like such a set.
    pub(super) fn search(&self, facts: &Facts, found: &mut impl FnMut(ChangeSet)) {
        self.search_below(0, facts.choices(), facts, found);
    }

    fn search_below(
        &self,
        node: u32,
        choices: &[Choice],
        facts: &Facts,
        found: &mut impl FnMut(ChangeSet),
    ) {
        let slot = self.nodes.get(node);
        let is_leaf = slot.first_child == NONE;
        if let Some(set) = slot.set()
            && (is_leaf || choices.iter().all(|choice| !choice.required))
        {
            found(set);
        }
        if is_leaf {
            return;
        }
        // No position may be left alone that must be changed.
        let first_required = choices.iter().position(|choice| choice.required);
        let next = &choices[..first_required.map_or(choices.len(), |place| place + 1)];
        if slot.n_children <= MOST_CHAINED {
            for (child, key) in self.children(node) {
                if facts.lists_change(key)
                    && let Some(place) =
                        next.iter().position(|it| facts.changes(*it).contains(&key))
                {
                    self.search_below(child, &choices[place + 1..], facts, found);
                }
            }
            return;
        }
        for (place, choice) in next.iter().enumerate() {
            for key in facts.changes(*choice) {
                if let Some(child) = self.wide.get(&(node, *key)) {
                    self.search_below(*child, &choices[place + 1..], facts, found);
                }
            }
        }
    }
}

impl Node {
    fn leaf(key: Key, set: Option<ChangeSet>) -> Self {
        Self {
            key,
            first_child: NONE,
            next_sibling: NONE,
            n_children: 0,
            shard: set.map_or(0, |set| set.shard),
            root: set.map_or(NONE, |set| set.root),
        }
    }

    fn set(&self) -> Option<ChangeSet> {
        let Self { shard, root, .. } = *self;
        (root != NONE).then_some(ChangeSet { shard, root })
    }
}
