//! A part of the stored sequences, selected by the hash of their changes.

use std::collections::HashMap;

use ahash::RandomState;
use psvn_ir::random::{GOLDEN, first_of};

use super::segments::{Runs, Segments};
use super::table::HashSlots;
use super::{Costs, Query};
use crate::generalization::demands::{Key, KeySpace};

pub(super) const NONE: u32 = u32::MAX;

/// The maximum number of children of a node that are not indexed.
const MOST_CHAINED: u16 = 12;

/// Used in place of the number of tests if they form a trie.
const TRIE: u16 = u16::MAX;

/// All sequences that make the same changes.
#[derive(Clone, Copy, Debug)]
struct Root {
    /// The changes in the shard's pool. If there is one sequence only, its tests follow.
    run_start: u32,
    n_changes: u16,
    /// The number of tests of the only sequence, or [`TRIE`].
    n_tests: u16,
    /// The only sequence, or the first node of the trie.
    to: u32,
}

/// A node of a trie of tests.
#[derive(Clone, Debug)]
struct Node {
    /// The test on the edge into this node; 0 in a first node.
    key: Key,
    first_child: u32,
    /// The next child of the same parent.
    next_sibling: u32,
    /// A run in the shard's pool: the tests between that edge and the node itself.
    run_start: u32,
    run_length: u16,
    n_children: u16,
    /// The word that ends here, or [`NONE`].
    word: u32,
}

#[derive(Clone, Debug)]
pub(super) struct Shard {
    /// By the hash of their changes.
    slots: HashSlots,
    roots: Segments<Root>,
    nodes: Segments<Node>,
    pool: Runs,
    /// The children of nodes that have many.
    wide: HashMap<(u32, Key), u32, RandomState>,
    /// Further words that end at a node: later and cheaper than those before them.
    cheaper: HashMap<u32, Vec<u32>, RandomState>,
    /// The places of the words of the last call: roots and nodes from these numbers on, and older
    /// nodes.
    fresh_roots: usize,
    fresh_nodes: usize,
    touched: Vec<u32>,
}

/// Return a key's part of the hash of a set, which is the sum.
#[inline]
pub(super) fn share(key: Key) -> u64 {
    first_of(u64::from(key).wrapping_mul(GOLDEN))
}

pub(super) fn hash_of(keys: impl IntoIterator<Item = Key>) -> u64 {
    keys.into_iter()
        .fold(0, |sum, key| sum.wrapping_add(share(key)))
}

/// Count an inspection of a root or a node, in tests.
#[inline]
fn count_probe() {
    #[cfg(test)]
    super::PROBES.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
}

impl Shard {
    pub(super) fn new(space: KeySpace) -> Self {
        Self {
            slots: HashSlots::default(),
            roots: Segments::new(),
            nodes: Segments::new(),
            pool: Runs::new(space),
            wide: HashMap::default(),
            cheaper: HashMap::default(),
            fresh_roots: 0,
            fresh_nodes: 0,
            touched: Vec::new(),
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.slots.bytes()
            + self.roots.bytes()
            + self.nodes.bytes()
            + self.pool.bytes()
            + self.wide.capacity() * (size_of::<((u32, Key), u32)>() + 1)
            + self.cheaper.len() * 64
            + self.touched.capacity() * size_of::<u32>()
    }

    /// Note that sequences inserted from now on may be renumbered.
    pub(super) fn begin(&mut self) {
        self.fresh_roots = self.roots.len();
        self.fresh_nodes = self.nodes.len();
        self.touched.clear();
    }

    /// Give the words inserted since [`begin`](Self::begin) other numbers, or remove them.
    pub(super) fn renumber(&mut self, number: impl Fn(u32) -> u32) {
        for root in self.fresh_roots as u32..self.roots.len() as u32 {
            let root = self.roots.get_mut(root);
            if root.n_tests != TRIE {
                root.to = number(root.to);
            }
        }
        let fresh = self.fresh_nodes as u32..self.nodes.len() as u32;
        // A node may have been touched twice: by a word, and by cheaper ones.
        self.touched.sort_unstable();
        self.touched.dedup();
        let touched = std::mem::take(&mut self.touched);
        for place in touched.into_iter().chain(fresh) {
            let slot = &mut self.nodes.get_mut(place).word;
            *slot = number(*slot);
            if let Some(words) = self.cheaper.get_mut(&place) {
                words.iter_mut().for_each(|word| *word = number(*word));
                words.retain(|word| *word != NONE);
                // The first word may be removed while a later and cheaper one stays.
                if *slot == NONE && !words.is_empty() {
                    *slot = words.remove(0);
                }
            }
        }
        self.begin();
    }

    /// Return the sequences that make exactly these changes.
    #[inline]
    fn root(&self, hash: u64, changes: &[Key]) -> Option<u32> {
        self.slots.find(hash, |root| {
            count_probe();
            let root = self.roots.get(root);
            usize::from(root.n_changes) == changes.len() && self.pool.holds(root.run_start, changes)
        })
    }

    pub(super) fn insert(
        &mut self,
        word: u32,
        hash: u64,
        (demands, n_changes): (&[Key], usize),
        costs: Costs<'_>,
    ) {
        let (changes, tests) = demands.split_at(n_changes);
        match self.root(hash, changes) {
            Some(root) => {
                if let Some(node) = self.trie(root, word, tests, costs) {
                    self.insert_below(node, word, tests, costs);
                }
            }
            None => {
                // A longer run would need a game of more than 65,534 variables.
                let length = |keys: &[Key]| u16::try_from(keys.len()).expect("games are smaller");
                let root = Root {
                    run_start: self.pool.push(demands),
                    n_changes: length(changes),
                    n_tests: length(tests),
                    to: word,
                };
                let (roots, pool) = (&self.roots, &self.pool);
                let hash_of_root = |root: &Root| hash_of(pool.iter(root.run_start, root.n_changes));
                let number = roots.len() as u32;
                self.slots
                    .insert(hash, number, || roots.iter().map(hash_of_root));
                self.roots.push(root);
            }
        }
    }

    /// Return the first node of a root's trie. If there is a single sequence so far, make a trie of
    /// it, unless it makes the new sequence useless.
    fn trie(&mut self, place: u32, word: u32, tests: &[Key], costs: Costs<'_>) -> Option<u32> {
        let root = *self.roots.get(place);
        if root.n_tests == TRIE {
            return Some(root.to);
        }
        let start = root.run_start + u32::from(root.n_changes);
        // It may have been removed.
        let is_there = root.to != NONE;
        let is_same =
            is_there && usize::from(root.n_tests) == tests.len() && self.pool.holds(start, tests);
        if is_same && costs.of(word) >= costs.of(root.to) {
            return None;
        }
        let empty = Node {
            key: 0,
            first_child: NONE,
            next_sibling: NONE,
            run_start: start,
            run_length: 0,
            n_children: 0,
            word: NONE,
        };
        let first = self.nodes.push(empty.clone());
        if root.n_tests == 0 {
            self.nodes.get_mut(first).word = root.to;
        } else if is_there {
            let child = self.nodes.push(Node {
                key: self.pool.get(start),
                run_start: start + 1,
                run_length: root.n_tests - 1,
                word: root.to,
                ..empty
            });
            self.adopt(first, child);
        }
        let root = self.roots.get_mut(place);
        (root.n_tests, root.to) = (TRIE, first);
        Some(first)
    }

    fn insert_below(&mut self, mut node: u32, word: u32, tests: &[Key], costs: Costs<'_>) {
        let mut tests = tests;
        loop {
            let Some((first, rest)) = tests.split_first() else {
                self.end(node, word, costs);
                return;
            };
            let Some(child) = self.child(node, *first) else {
                let run_start = self.pool.push(rest);
                let child = self.nodes.push(Node {
                    key: *first,
                    first_child: NONE,
                    next_sibling: NONE,
                    run_start,
                    run_length: u16::try_from(rest.len()).expect("games are smaller"),
                    n_children: 0,
                    word,
                });
                self.adopt(node, child);
                return;
            };
            let run = self.run(child);
            let length = run.len();
            let common = run.zip(rest).take_while(|(a, b)| a == *b).count();
            if common < length {
                self.split(child, common);
            }
            node = child;
            tests = &rest[common..];
        }
    }

    /// Let a word end at a node.
    fn end(&mut self, node: u32, word: u32, costs: Costs<'_>) {
        let slot = &mut self.nodes.get_mut(node).word;
        if *slot == NONE {
            *slot = word;
        } else {
            let cheaper = self.cheaper.get(&node);
            let last = cheaper.and_then(|words| words.last()).unwrap_or(slot);
            if costs.of(word) >= costs.of(*last) {
                return;
            }
            self.cheaper.entry(node).or_default().push(word);
        }
        if (node as usize) < self.fresh_nodes {
            self.touched.push(node);
        }
    }

    fn run(&self, node: u32) -> impl ExactSizeIterator<Item = Key> + '_ {
        let node = self.nodes.get(node);
        self.pool.iter(node.run_start, node.run_length)
    }

    /// End a node's run after `common` tests; the rest becomes its only child.
    fn split(&mut self, node: u32, common: usize) {
        let upper = self.nodes.get(node).clone();
        let lower = self.nodes.push(Node {
            key: self.pool.get(upper.run_start + common as u32),
            next_sibling: NONE,
            run_start: upper.run_start + common as u32 + 1,
            run_length: upper.run_length - common as u16 - 1,
            ..upper
        });
        // The children's entries in the index name their parent.
        if upper.n_children > MOST_CHAINED {
            let mut child = upper.first_child;
            while child != NONE {
                let key = self.nodes.get(child).key;
                self.wide.remove(&(node, key));
                self.wide.insert((lower, key), child);
                child = self.nodes.get(child).next_sibling;
            }
        }
        if let Some(words) = self.cheaper.remove(&node) {
            self.cheaper.insert(lower, words);
        }
        let slot = self.nodes.get_mut(node);
        slot.run_length = common as u16;
        slot.first_child = lower;
        slot.n_children = 1;
        slot.word = NONE;
    }

    fn adopt(&mut self, parent: u32, child: u32) {
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
            self.wide.insert((parent, self.nodes.get(child).key), child);
        }
    }

    fn child(&self, node: u32, key: Key) -> Option<u32> {
        let slot = self.nodes.get(node);
        if slot.n_children > MOST_CHAINED {
            return self.wide.get(&(node, key)).copied();
        }
        let mut child = slot.first_child;
        while child != NONE {
            let slot = self.nodes.get(child);
            if slot.key == key {
                return Some(child);
            }
            child = slot.next_sibling;
        }
        None
    }

    /// Lower `best` to the first sequence that makes exactly these changes and answers the query.
    #[inline]
    pub(super) fn look_up(&self, hash: u64, changes: &[Key], query: &Query<'_>, best: &mut u32) {
        if let Some(root) = self.root(hash, changes) {
            self.search_root(self.roots.get(root), query, best);
        }
    }

    fn search_root(&self, root: &Root, query: &Query<'_>, best: &mut u32) {
        if root.n_tests == TRIE {
            self.search(root.to, query, best);
            return;
        }
        let start = root.run_start + u32::from(root.n_changes);
        let mut tests = self.pool.iter(start, root.n_tests);
        if root.to < *best
            && query.costs.of(root.to) <= query.cost
            && tests.all(|test| query.facts.holds(test))
        {
            *best = root.to;
        }
    }

    /// Lower `best` to the first word at a node or below it that answers the query. All demands up
    /// to the node are met.
    fn search(&self, node: u32, query: &Query<'_>, best: &mut u32) {
        let facts = query.facts;
        let slot = self.nodes.get(node);
        if slot.word != NONE {
            if query.costs.of(slot.word) <= query.cost {
                *best = slot.word.min(*best);
            }
            if matches!(query.costs, Costs::Each(_))
                && let Some(cheaper) = self.cheaper.get(&node)
            {
                let affordable = cheaper
                    .iter()
                    .filter(|word| query.costs.of(**word) <= query.cost);
                *best = affordable.copied().min().unwrap_or(NONE).min(*best);
            }
        }
        if slot.n_children > MOST_CHAINED {
            let behind = facts.tests().partition_point(|key| *key <= slot.key);
            for key in &facts.tests()[behind..] {
                count_probe();
                if let Some(child) = self.wide.get(&(node, *key)) {
                    self.enter(*child, query, best);
                }
            }
            return;
        }
        let mut child = slot.first_child;
        while child != NONE {
            count_probe();
            let next = self.nodes.get(child);
            if facts.holds(next.key) {
                self.enter(child, query, best);
            }
            child = next.next_sibling;
        }
    }

    /// Search below a node if the tests of its run hold.
    fn enter(&self, node: u32, query: &Query<'_>, best: &mut u32) {
        if self.run(node).all(|test| query.facts.holds(test)) {
            self.search(node, query, best);
        }
    }

    /// The stored sets of changes.
    pub(super) fn n_sets(&self) -> usize {
        self.roots.len()
    }

    /// Replace a list by the changes of a set.
    pub(super) fn read_changes(&self, root: u32, changes: &mut Vec<Key>) {
        let root = self.roots.get(root);
        changes.clear();
        changes.extend(self.pool.iter(root.run_start, root.n_changes));
    }

    /// Search the sequences of a set whose changes agree with the facts.
    pub(super) fn search_set(&self, root: u32, query: &Query<'_>, best: &mut u32) {
        count_probe();
        self.search_root(self.roots.get(root), query, best);
    }
}
